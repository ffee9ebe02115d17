// Everything works from the keyboard alone, and the focus is always seen.

import { after, test } from "node:test";
import assert from "node:assert/strict";
import {
  WORDS,
  belief,
  cell,
  chooseLab,
  choosePreset,
  close,
  faultButton,
  headline,
  lastTaken,
  onPage,
  position,
  steps,
  truth,
} from "./harness.mjs";

after(close);

/** Presses keys one after the other. */
async function keys(page, ...all) {
  for (const key of all) await page.keyboard.press(key);
}

/** What has the focus, in words. */
const focused = (page) =>
  page.evaluate(() => {
    const { activeElement: element } = document;
    return element.getAttribute("aria-label") ?? element.textContent.trim();
  });

/** Opens the menu of a fault by its button, and waits until the menu has the focus. */
async function openMenu(page, kind) {
  await (await faultButton(page, kind)).focus();
  await keys(page, "Enter");
  await page.locator("[role=menuitem]:focus").waitFor();
}

/** Presses Tab until the element has the focus. */
async function tabTo(page, selector) {
  const wanted = page.locator(selector).first();
  for (let i = 0; i < 100; i++) {
    if (await wanted.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  assert.fail(`Tab does not reach ${selector}`);
}

test(
  "the plain design is applied twice by keys alone",
  onPage(async (page) => {
    await tabTo(page, ".presets select");
    const chosen = () => page.locator(".presets option:checked").innerText();
    const isPlain = async () => (await chosen()) === WORDS.en["balance.preset.plain"];
    for (let i = 0; i < 40 && !(await isPlain()); i++) await keys(page, "ArrowDown");
    assert.equal(await position(page), "0 / 6");
    await tabTo(page, "#tab-steps"); // a list keeps its arrow keys; a button leaves them to the page

    await keys(page, "ArrowRight", "ArrowRight"); // sent, written
    await keys(page, "1"); // answered
    assert.deepEqual([await truth(page), await belief(page)], ["100", "100"]);
    await keys(page, "d", "1"); // the duplicate, written
    assert.deepEqual([await truth(page), await belief(page)], ["200", "100"]);
    assert.equal(await headline(page), WORDS.en["headline.duplicated"]);
  }),
);

test(
  "keys move through the run like the buttons",
  onPage(async (page) => {
    for (const [key, place] of [
      ["ArrowRight", 1],
      ["Space", 2],
      ["PageDown", 3],
      ["ArrowLeft", 2],
      ["PageUp", 1],
      ["End", 15],
      ["Home", 0],
    ]) {
      await page.keyboard.press(key);
      assert.equal(await position(page), `${place} / 15`, key);
    }
  }),
);

test(
  "a remote steps on after a design was chosen, and from the slider and the lists too",
  onPage(async (page) => {
    await choosePreset(page, "plain");
    const design = await page.inputValue(".presets select");
    await keys(page, "PageDown");
    assert.equal(await position(page), "1 / 6");
    for (const selector of [".slider input", ".presets select", "select.lab", "select.pace", ".file input"]) {
      await page.locator(selector).focus();
      await keys(page, "PageDown");
      assert.equal(await position(page), "2 / 6", selector);
      await keys(page, "PageUp");
      assert.equal(await position(page), "1 / 6", selector);
    }
    assert.equal(await page.inputValue(".presets select"), design);
  }),
);

test(
  "letters work on lists, the slider and the file, and choose nothing there",
  onPage(async (page) => {
    for (const selector of [".presets select", ".slider input", ".file input"]) {
      await page.locator(selector).focus();
      await keys(page, "a", "v");
      assert.equal(await position(page), "0 / 15", selector);
      assert.equal(await page.evaluate(() => document.activeElement.closest(".windows") !== null), true, selector);
    }
    await page.locator(".slider input").focus();
    await keys(page, "End");
    assert.equal(await position(page), "15 / 15");
  }),
);

test(
  "the blank key of a remote covers the page, the next key shows it again, and nothing has moved",
  onPage(async (page) => {
    const curtain = page.locator(".curtain");
    await page.locator(".transport .step").focus();
    for (const [blank, back] of [
      [".", "."],
      ["b", "Escape"],
      [".", "PageDown"],
    ]) {
      await keys(page, blank);
      assert.equal(await curtain.isVisible(), true);
      assert.equal(await page.locator("body > :not([inert]) button:visible").count(), 0, "none behind it");
      await keys(page, "c", back);
      assert.equal(await curtain.isVisible(), false);
      assert.equal(await position(page), "0 / 15");
    }
    await page.locator(".transport .step:focus").waitFor();
  }),
);

test(
  "z takes changes back and Shift+Z makes them again, over runs, designs and labs",
  onPage(async (page) => {
    const undo = page.getByRole("button", { name: WORDS.en["ui.key.undo"] });
    assert.equal(await undo.isDisabled(), true);
    await keys(page, "c");
    assert.equal(await position(page), "1 / 1");
    await choosePreset(page, "plain");
    await chooseLab(page, "payment");
    await keys(page, "z");
    assert.equal(await page.inputValue("select.lab"), "balance");
    assert.equal(await position(page), "0 / 6");
    await keys(page, "z");
    assert.equal(await position(page), "1 / 1");
    assert.equal(await page.locator(".branches option").count(), 3, "two branches and a new one");
    await undo.click();
    assert.equal(await position(page), "0 / 15");
    await keys(page, "Shift+Z", "Shift+Z");
    assert.equal(await position(page), "0 / 6");
  }),
);

test(
  "a new empty run is begun beside the others, and tells no story",
  onPage(async (page) => {
    await choosePreset(page, "plain");
    assert.equal(await page.innerText(".story"), WORDS.en["balance.preset.plain.story"]);
    await page.selectOption("select.branches", "new");
    assert.equal(await position(page), "0 / 0");
    assert.equal(await page.innerText(".story"), WORDS.en["lab.balance.question"]);
    await keys(page, "[");
    assert.equal(await position(page), "6 / 6");
    assert.equal(await page.innerText(".story"), WORDS.en["balance.preset.plain.story"]);
  }),
);

test(
  "the browser's way back leads to all branches of the run that was left",
  onPage(async (page) => {
    await keys(page, "End", "ArrowLeft", "c");
    const branches = await page.locator(".branches option").allTextContents();
    assert.equal(branches.length, 3);
    const before = await position(page);
    await chooseLab(page, "payment");
    await page.goBack();
    await page.locator(".lab option[value=balance]:checked").waitFor({ state: "attached" });
    assert.deepEqual(await page.locator(".branches option").allTextContents(), branches);
    assert.equal(await position(page), before);
  }),
);

test(
  "p plays and pauses",
  onPage(async (page) => {
    const play = page.getByRole("button", { name: WORDS.en["ui.key.play"] });
    await keys(page, "p");
    assert.equal(await play.getAttribute("aria-pressed"), "true");
    await keys(page, "p");
    assert.equal(await play.getAttribute("aria-pressed"), "false");
  }),
);

test(
  "a letter puts a fault here, Shift takes the second of its kind",
  onPage(async (page) => {
    await keys(page, "r");
    assert.match(await lastTaken(page), /b: −30 too early/);
    await keys(page, "ArrowLeft", "Shift+R");
    assert.match(await lastTaken(page), /c: −30 too early/);
    await keys(page, "c");
    assert.match(await lastTaken(page), /^crash/);
    await keys(page, "1", "i");
    assert.match(await lastTaken(page), /start a second process/);
  }),
);

test(
  "a digit takes the protocol step of that number",
  onPage(async (page) => {
    await choosePreset(page, "check_then_act"); // two threads, either of which can be sent the first operation
    await page.locator(".diagram .scroller").focus();
    await keys(page, "2");
    assert.match(await lastTaken(page), /Thread B/);
    await keys(page, "Home", "1");
    assert.match(await lastTaken(page), /Thread A/);
  }),
);

test(
  "a menu opens, moves by arrows and takes the item by Enter",
  onPage(async (page) => {
    await openMenu(page, "reorder");
    assert.match(await focused(page), /^b: −30 too early/);
    await keys(page, "ArrowDown");
    assert.match(await focused(page), /^c: −30 too early/);
    await keys(page, "ArrowDown");
    assert.match(await focused(page), /^b: −30 too early/);
    await keys(page, "ArrowUp", "Enter");
    assert.match(await lastTaken(page), /c: −30 too early/);
    assert.equal(await page.getByRole("menu").count(), 0);
    assert.equal(await position(page), "1 / 1");
  }),
);

test(
  "Esc closes a menu, takes nothing, and gives the focus back",
  onPage(async (page) => {
    const button = await faultButton(page, "reorder");
    await openMenu(page, "reorder");
    assert.equal(await button.getAttribute("aria-expanded"), "true");
    await keys(page, "ArrowDown", "Escape");
    assert.equal(await page.getByRole("menu").count(), 0);
    assert.equal(await button.evaluate((button) => button === document.activeElement), true);
    assert.equal(await position(page), "0 / 15");
  }),
);

test(
  "a menu that is closed as soon as it opens does no harm",
  onPage(async (page) => {
    const button = await faultButton(page, "reorder");
    for (const way of ["Escape", "click"]) {
      await button.evaluate(async (button, way) => {
        const drawn = () => new Promise((done) => setTimeout(done)); // effects have run, no frame has come
        button.click();
        await drawn();
        if (way === "click") button.click();
        else
          document
            .querySelector("[role=menu]")
            .dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true }));
        for (let frames = 0; frames < 3; frames++) await new Promise(requestAnimationFrame);
      }, way);
      assert.equal(await page.getByRole("menu").count(), 0);
    }
    assert.equal(await position(page), "0 / 15");
  }),
);

test(
  "Tab leaves a menu and closes it",
  onPage(async (page) => {
    await openMenu(page, "reorder");
    await keys(page, "Tab", "Tab");
    assert.equal(await page.getByRole("menu").count(), 0);
  }),
);

test(
  "after an item of a menu was taken, the focus is not lost",
  onPage(async (page) => {
    await openMenu(page, "reorder");
    await keys(page, "Enter");
    assert.match(await lastTaken(page), /too early/);
    assert.equal(await page.evaluate(() => document.activeElement !== document.body), true);
  }),
);

test(
  "? shows the sheet of keys, Esc closes it, and no key works behind it",
  onPage(async (page) => {
    await page.getByRole("button", { name: WORDS.en["ui.help"] }).focus();
    await keys(page, "?");
    const sheet = page.getByRole("dialog", { name: WORDS.en["ui.help"] });
    assert.equal(await sheet.isVisible(), true);
    await keys(page, "ArrowRight", "c");
    assert.equal(await position(page), "0 / 15");
    await keys(page, "Escape");
    assert.equal(await sheet.isVisible(), false);
    assert.equal(await focused(page), WORDS.en["ui.key.help"]);
    await keys(page, "ArrowRight");
    assert.equal(await position(page), "1 / 15");
  }),
);

test(
  "g switches the language, t the colours, u shares, Esc puts a message away",
  onPage(async (page) => {
    await keys(page, "g");
    assert.equal(await headline(page), WORDS.zh["headline.nothing"]);
    await keys(page, "g", "t");
    assert.equal(await page.getAttribute("html", "data-theme"), "light");
    await keys(page, "t");
    assert.equal(await page.getAttribute("html", "data-theme"), "dark");
    await keys(page, "u");
    await page.locator(".notice").waitFor();
    await keys(page, "Escape");
    assert.equal(await page.locator(".notice").count(), 0);
  }),
);

test(
  "letters and arrows that are typed into a field do nothing else",
  onPage(async (page) => {
    await tabTo(page, "#tab-rows");
    await keys(page, "Enter");
    await tabTo(page, ".records input");
    await page.keyboard.type("c d?p1");
    await keys(page, "Home", "ArrowRight", "End", "Enter");
    assert.equal(await cell(page, 0, 0).inputValue(), "c d?p1");
    assert.equal(await position(page), "0 / 15");
    assert.match((await steps(page))[0], /^send c d\?p1: \+100/);
  }),
);

test(
  "the browser's own keys are left alone",
  onPage(async (page) => {
    await keys(page, "Control+c", "Alt+ArrowRight", "Control+End");
    assert.equal(await position(page), "0 / 15");
  }),
);

test(
  "Space and Enter press the button that has the focus, and nothing else",
  onPage(async (page) => {
    await tabTo(page, ".transport button.step");
    await keys(page, "Space", "Enter");
    assert.equal(await position(page), "2 / 15");
  }),
);

test(
  "the focus stays where it is through the steps of a run",
  onPage(async (page) => {
    await tabTo(page, ".transport button.step");
    for (let i = 0; i < 15; i++) await keys(page, "Enter");
    assert.equal(await position(page), "15 / 15");
    assert.match(await focused(page), /^Step/);
  }),
);

for (const tab of ["steps", "choices", "rows"]) {
  test(
    `Tab reaches every control of the pane ${tab}, and each shows that it has the focus`,
    onPage(async (page) => {
      await tabTo(page, `#tab-${tab}`);
      await keys(page, "Enter");
      await keys(page, "ArrowRight"); // so that both ends of the run can be gone to
      const controls = await page.evaluate(() => {
        // The tools of the handler are one stop; the arrow keys go through them.
        const stops = "button:not([tabindex='-1']), select, input, summary, [tabindex='0']";
        const all = document.querySelectorAll(stops);
        const usable = [...all].filter(
          (one) => !one.disabled && one.checkVisibility() && !one.closest("dialog:not([open])"),
        );
        usable.forEach((one, index) => (one.dataset.control = index));
        document.activeElement.blur();
        return usable.length;
      });
      const reached = new Set();
      const unseen = [];
      for (let i = 0; i < controls + 10; i++) {
        await keys(page, "Tab");
        const seen = await page.evaluate(() => {
          const { activeElement: element } = document;
          // A hidden field is seen by the frame of its label.
          const framed = element.closest("label") ?? element;
          const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(framed);
          const opaque = [];
          for (let up = framed; up; up = up.parentElement) opaque.push(+getComputedStyle(up).opacity);
          return {
            control: element.dataset.control,
            name: element.outerHTML.slice(0, 90),
            outlined:
              outlineStyle !== "none" && parseFloat(outlineWidth) >= 2 && outlineColor !== "rgba(0, 0, 0, 0)",
            opaque: Math.min(...opaque) === 1,
          };
        });
        if (seen.control === undefined) continue; // the browser's own bar, between the end and the start
        reached.add(seen.control);
        if (!seen.outlined || !seen.opaque) unseen.push(seen.name);
      }
      const missed = await page.evaluate(
        (reached) =>
          [...document.querySelectorAll("[data-control]")]
            .filter((one) => !reached.includes(one.dataset.control))
            .map((one) => one.outerHTML.slice(0, 90)),
        [...reached],
      );
      assert.deepEqual({ missed, unseen }, { missed: [], unseen: [] });
      assert.equal(reached.size, controls);
    }),
  );
}

test(
  "the handler is one stop, in which arrows move and a moved step keeps the focus",
  onPage(async (page) => {
    await tabTo(page, ".handler button");
    const row = () => page.evaluate(() => document.activeElement.closest("li")?.querySelector(".word").textContent);
    const names = await page.locator(".handler li .word").allTextContents();
    assert.equal(await row(), names[0]);
    await keys(page, "ArrowDown", "ArrowRight");
    await page.waitForFunction((label) => document.activeElement.ariaLabel === label, WORDS.en["ui.move_down"]);
    assert.equal(await row(), names[1]);
    assert.equal(await position(page), "0 / 15");
    await keys(page, "Enter");
    await page.waitForFunction(
      (name) => document.activeElement.closest("li:nth-child(3)")?.querySelector(".word").textContent === name,
      names[1],
    );
    await keys(page, "Tab");
    assert.equal(await page.locator(".handler :focus").count(), 0);
  }),
);

test(
  "the first stop of the page leads to the diagram",
  onPage(async (page) => {
    await keys(page, "Tab");
    assert.equal(await focused(page), WORDS.en["ui.skip"]);
    await keys(page, "Enter");
    assert.ok(await page.locator(".scroller").evaluate((pane) => pane === document.activeElement));
  }),
);
