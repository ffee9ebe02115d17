// The design under test: its named presets, its handler's steps, its mechanisms. A change replays
// the run as far as it stays possible.

import { after, test } from "node:test";
import assert from "node:assert/strict";
import {
  WORDS,
  belief,
  chooseLab,
  choosePreset,
  close,
  headline,
  mapReady,
  lastTaken,
  notice,
  onPage,
  openTab,
  position,
  press,
  seek,
  shown,
  step,
  steps,
  truth,
} from "./harness.mjs";

after(close);

const EN = WORDS.en;

// Each design with what its run comes to: steps, truth, belief, headline.
const PRESETS = [
  ["correct", 15, "100", "100", "running"],
  ["remembered", 22, "100", "100", "done"],
  ["conflict", 15, "100", "100", "done"],
  ["set_versioned", 6, "150", "150", "done"],
  ["plain", 6, "200", "100", "duplicated"],
  ["check_then_act", 16, "200", "100", "duplicated"],
  ["lock_late", 20, "200", "100", "duplicated"],
  ["two_processes", 20, "200", "100", "duplicated"],
  ["memory_receipts", 20, "200", "100", "duplicated"],
  ["receipt_first", 12, "0", "100", "lost"],
  ["balance_first", 15, "200", "100", "duplicated"],
  ["in_memory", 9, "0", "100", "lost"],
  ["reply_first", 6, "0", "100", "lost"],
  ["same_content", 25, "70", "40", "lost"],
  ["set_unversioned", 6, "120", "150", "lost"],
];

/** The handler's rows: the steps that are taken, in their order, and those left out. */
async function handler(page) {
  const row = (selector) => page.locator(`.handler li${selector} .word`).allTextContents();
  return { taken: await row(":not(.left-out)"), leftOut: await row(".left-out") };
}

/** Presses a tool of one handler step: the key of its name, such as `ui.move_up`. */
async function tool(page, stepId, key) {
  const row = page.locator(".handler li").filter({ hasText: EN[`balance.step.${stepId}`] });
  await row.hover();
  await row.getByRole("button", { name: EN[key] }).click();
}

test(
  "every named design is offered, the correct ones apart",
  onPage(async (page) => {
    const offered = (label) => page.locator(`.presets optgroup[label="${label}"] option`).allTextContents();
    const correct = await offered(EN["ui.preset.correct"]);
    const wrong = await offered(EN["ui.preset.wrong"]);
    assert.deepEqual(
      [...correct, ...wrong],
      PRESETS.map(([id]) => EN[`balance.preset.${id}`]),
    );
    assert.equal(correct.length, 4);
  }),
);

for (const [id, length, trueValue, believed, end] of PRESETS) {
  const ending = EN[`headline.${end}`];
  test(
    `the design ${id} shows its story and its run, which ends as “${ending}”`,
    onPage(async (page) => {
      await choosePreset(page, id);
      assert.equal(await page.innerText(".story"), EN[`balance.preset.${id}.story`]);
      assert.equal(await position(page), `0 / ${length}`);
      assert.equal(await headline(page), EN["headline.nothing"]);
      await step(page, length);
      assert.equal(await position(page), `${length} / ${length}`);
      assert.deepEqual([await truth(page), await belief(page)], [trueValue, believed]);
      assert.equal(await headline(page), EN[`headline.${end}`]);
    }),
  );
}

test(
  "a step moves up and down by its arrows, and the run follows",
  onPage(async (page) => {
    await choosePreset(page, "receipt_first");
    await tool(page, "write", "ui.move_up");
    assert.deepEqual((await handler(page)).taken.slice(3, 5), [
      EN["balance.step.write"],
      EN["balance.step.register"],
    ]);
    // That is the other known-wrong design, and the page knows it.
    assert.equal(await page.innerText(".story"), EN["balance.preset.balance_first.story"]);
    assert.match((await steps(page))[4], /^write the balance/);

    await tool(page, "write", "ui.move_down");
    assert.equal(await page.innerText(".story"), EN["balance.preset.receipt_first.story"]);
    assert.match((await steps(page))[4], /^write the receipt/);
  }),
);

test(
  "a step is dragged to another place",
  onPage(async (page) => {
    await choosePreset(page, "receipt_first");
    const row = (id) => page.locator(".handler li").filter({ hasText: EN[`balance.step.${id}`] });
    await row("write").dragTo(row("register"));
    assert.equal(await page.innerText(".story"), EN["balance.preset.balance_first.story"]);
  }),
);

test(
  "a step is left out and put back",
  onPage(async (page) => {
    await tool(page, "lock", "ui.leave_out");
    assert.deepEqual((await handler(page)).leftOut, [EN["balance.step.lock"]]);
    assert.equal(await page.innerText(".story"), EN["lab.balance.question"]);
    await tool(page, "lock", "ui.put_back");
    const { taken, leftOut } = await handler(page);
    assert.deepEqual([taken.at(-1), leftOut], [EN["balance.step.lock"], []]);
  }),
);

test(
  "without any step nothing can be handled, and the page stays whole",
  onPage(async (page) => {
    const ids = Object.keys(EN).filter((key) => key.startsWith("balance.step."));
    for (const key of ids) await tool(page, key.replace("balance.step.", ""), "ui.leave_out");
    assert.equal((await handler(page)).leftOut.length, 9);
    await press(page, "ui.dismiss");
    await page.keyboard.press("End");
    assert.notEqual(await headline(page), "");
  }),
);

test(
  "the step that comes next is marked in the handler",
  onPage(async (page) => {
    await step(page, 3); // sent, locked, looked for the receipt
    assert.deepEqual(await page.locator(".handler .next .word").allTextContents(), [
      EN["balance.step.compute"],
    ]);
  }),
);

test(
  "a change says before which step the run now ends, and the rest returns with it",
  onPage(async (page) => {
    await seek(page, 12);
    const before = [await shown(page), await steps(page)];
    await tool(page, "reply", "ui.leave_out");
    assert.match(await notice(page), /the run ends before step 10: “[^”]*[Rr]eply[^”]*” is not possible there/);
    assert.equal(await position(page), "9 / 9");
    assert.match(await lastTaken(page), /^release the lock/);

    await tool(page, "reply", "ui.put_back");
    assert.equal(await page.locator(".notice").count(), 0);
    await seek(page, 12);
    assert.deepEqual([await shown(page), await steps(page)], before);
  }),
);

test(
  "another mechanism replays the run",
  onPage(async (page) => {
    await choosePreset(page, "memory_receipts");
    await press(page, "ui.key.last");
    assert.equal(await truth(page), "200");
    await openTab(page, "choices");
    await page
      .getByLabel(EN["balance.setting.receipts"])
      .selectOption({ label: EN["balance.receipts.store"] });
    assert.equal(await truth(page), "100");
    assert.notEqual(await headline(page), EN["headline.duplicated"]);
    // The receipts are where the correct design has them, but its story is that of another run.
    assert.equal(await page.innerText(".story"), EN["lab.balance.question"]);

    await page
      .getByLabel(EN["balance.setting.receipts"])
      .selectOption({ label: EN["balance.receipts.memory"] });
    await press(page, "ui.key.last");
    assert.equal(await truth(page), "200");
  }),
);

test(
  "the steps of a run that no longer fit return when the mechanism does",
  onPage(async (page) => {
    await choosePreset(page, "check_then_act");
    await press(page, "ui.key.last");
    await mapReady(page);
    const before = [await shown(page), await steps(page)];
    await openTab(page, "choices");
    const workers = page.getByLabel(EN["balance.setting.workers"]);
    await workers.selectOption({ label: EN["balance.workers.one"] });
    const refused = "“a: +100 once more → Thread B” is not possible there";
    assert.ok((await notice(page)).includes(`the run ends before step 3: ${refused}`));
    assert.equal(await position(page), "2 / 2");
    await workers.selectOption({ label: EN["balance.workers.threads"] });
    await press(page, "ui.key.last");
    await mapReady(page);
    assert.deepEqual([await shown(page), await steps(page)], before);
  }),
);

test(
  "settings of a link are compared with the nearest named design",
  onPage({ hash: "#v=1&lab=payment&key=none" }, async (page) => {
    await openTab(page, "choices");
    assert.ok(await page.locator(".setting").first().evaluate((it) => it.classList.contains("changed")));
    assert.equal(await page.locator("#tab-choices .changes").innerText(), "1");
  }),
);

test(
  "a changed setting says what it was, and goes back by its arrow",
  onPage(async (page) => {
    await chooseLab(page, "payment");
    await openTab(page, "choices");
    const setting = page.locator(".setting").filter({ has: page.getByLabel(EN["payment.setting.key"]) });
    const select = setting.locator("select");
    const badge = page.locator("#tab-choices .changes");
    const [was, other] = await select.locator("option").evaluateAll((all) => {
      const chosen = all.find((option) => option.selected);
      return [chosen.textContent, all.find((option) => option.textContent !== chosen.textContent).textContent];
    });
    assert.equal(await badge.textContent(), "0");
    await select.selectOption({ label: other });
    assert.equal(await badge.textContent(), "1");
    assert.equal(await setting.locator(".was span").first().innerText(), `was: ${was}`);
    await setting.locator(".was button").click();
    assert.equal(await select.locator("option:checked").innerText(), was);
    assert.ok(await select.evaluate((it) => it === document.activeElement));
    assert.equal(await setting.locator(".was").isVisible(), false);
    assert.equal(await badge.textContent(), "0");
  }),
);

test(
  "of many settings some are found by their words, and the field keeps the focus",
  onPage({ hash: "#v=1&lab=payment" }, async (page) => {
    await openTab(page, "choices");
    const field = page.getByLabel(EN["ui.filter"]);
    const shown = () => page.locator(".setting:visible summary").allInnerTexts();
    const all = (await shown()).length;
    await field.pressSequentially("RETENTION");
    assert.ok(await field.evaluate((it) => it === document.activeElement));
    assert.ok((await shown()).includes(EN["payment.setting.old_key"]));
    assert.ok((await shown()).length < all);
    await field.fill("no such words");
    assert.deepEqual(await shown(), []);
    assert.ok(await page.getByText(EN["ui.filter.none"]).isVisible());
    await field.fill("");
    assert.equal((await shown()).length, all);
    // Few settings need no field.
    await page.selectOption("select.lab", "balance");
    assert.equal(await field.isVisible(), false);
  }),
);

test(
  "the value of a setting that does not fit is read whole below it",
  onPage({ hash: "#v=1&lab=payment" }, async (page) => {
    await openTab(page, "choices");
    for (const setting of await page.locator(".setting").all()) {
      const value = await setting.locator("option:checked").innerText();
      assert.equal(await setting.locator("select").getAttribute("title"), value);
      const whole = setting.locator(".whole");
      const fits = await setting.locator("select").evaluate((select, value) => {
        const pen = document.createElement("canvas").getContext("2d");
        pen.font = getComputedStyle(select).font;
        const { paddingLeft, paddingRight } = getComputedStyle(select);
        const room = select.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
        return pen.measureText(value).width <= room;
      }, value);
      if (!fits) assert.equal(await whole.innerText(), value);
    }
  }),
);

test(
  "every setting explains itself",
  onPage(async (page) => {
    for (const tab of ["steps", "choices", "rows"]) {
      await openTab(page, tab);
      for (const setting of await page.locator(".setting").all()) {
        await setting.locator("summary").click();
        assert.equal(await setting.locator("details p").isVisible(), true, await setting.innerText());
      }
    }
  }),
);

test(
  "the law f(f(S,e),e) = f(S,e) is tried on the state that is shown",
  onPage(async (page) => {
    const signs = () => page.locator(".laws .sign").evaluateAll((all) => all.map((sign) => sign.ariaLabel));
    assert.deepEqual(await signs(), Array(3).fill(EN["ui.law.holds"]));
    await choosePreset(page, "plain");
    await press(page, "ui.key.last");
    const chain = page.locator(".laws .chain").first().locator("b");
    assert.deepEqual(await chain.allTextContents(), ["200", "300", "400"]);
    assert.deepEqual(await signs(), Array(3).fill(EN["ui.law.broken"]));
  }),
);
