// The failure-window map beside the diagram: where its cells stand, what they say, what they do.

import { after, test } from "node:test";
import assert from "node:assert/strict";
import {
  WORDS,
  about,
  choosePreset,
  close,
  headline,
  lastTaken,
  mapReady,
  onPage,
  openTab,
  position,
  press,
  seek,
  step,
  steps,
  windowCell,
  words,
} from "./harness.mjs";

after(close);

const EN = WORDS.en;
const HARMS = ["clean", "stuck", "endless", "wrong_belief", "lost", "duplicated"];
const TOO_LONG =
  "#v=1&lab=balance&handler=write.reply&run=" + Array(134).fill("deliver+1+a.step+a*2").join(".");
const AT_LIMIT =
  "#v=1&lab=balance&handler=write.reply&run=" + Array(133).fill("deliver+1+a.step+a*2").join(".");

/** Opens a design by its id, and waits for its map. */
async function open(page, preset) {
  await choosePreset(page, preset);
  await mapReady(page);
}

/** The harm of every cell that is drawn, by the cell's id. */
const cells = (page) =>
  page.evaluate(
    (harms) =>
      Object.fromEntries(
        [...document.querySelectorAll(".cell")].map((cell) => [
          cell.id.slice("window-".length),
          harms.find((harm) => cell.querySelector(".window").classList.contains(harm)),
        ]),
      ),
    HARMS,
  );

const active = (page) => page.getAttribute(".windows", "aria-activedescendant");
const focusedOn = (page, selector) =>
  page.evaluate((selector) => document.activeElement.matches(selector), selector);

for (const [width, height] of [
  [1280, 720],
  [1920, 1080],
  [390, 844],
]) {
  test(
    `cells stand between the rows and below the heads of their columns at ${width} × ${height}`,
    onPage({ viewport: { width, height } }, async (page) => {
      await open(page, "memory_receipts");
      for (const at of [0, 20]) {
        await seek(page, at);
        await page.waitForTimeout(100);
        const off = await page.evaluate(() => {
          const box = (element) => element.getBoundingClientRect();
          const rows = new Map(
            [...document.querySelectorAll(".space-time .row")].map((row) => [
              Number(row.querySelector(".number").textContent),
              box(row.querySelector(".row-back")),
            ]),
          );
          const heads = [...document.querySelectorAll(".window-heads .columns span")].map((head) =>
            box(head),
          );
          const far = [];
          for (const cell of document.querySelectorAll(".cell")) {
            const { left, right, top, bottom } = box(cell.querySelector(".window"));
            const gap = Number(cell.id.split("-")[1]);
            const [above, below] = [rows.get(gap), rows.get(gap + 1)];
            const y = above && below ? (above.bottom + below.top) / 2 : (above?.bottom ?? below?.top);
            if (y === undefined) continue;
            const head = heads[cell.ariaColIndex - 1];
            // The one column of a phone, the worst of each gap, has no head.
            const dx = head.width > 0 ? (left + right - head.left - head.right) / 2 : 0;
            const dy = (top + bottom) / 2 - y;
            if (Math.abs(dx) > 1 || Math.abs(dy) > 2.5) far.push(`${cell.id}: ${dx}, ${dy}`);
          }
          return { far, cells: document.querySelectorAll(".cell").length };
        });
        assert.deepEqual(off.far, []);
        assert.ok(off.cells > 10, `${off.cells} cells`);
      }
    }),
  );
}

test(
  "a column stands for each kind of fault that is possible in the run, in the order of the lab",
  onPage(async (page) => {
    const heads = () =>
      page.locator(".window-heads .columns span").evaluateAll((all) => all.map((head) => head.title));
    const words = (...kinds) => kinds.map((kind) => EN[`fault.${kind}`]);
    await open(page, "plain");
    assert.deepEqual(
      await heads(),
      words("crash", "duplicate", "lose_reply", "reorder", "second_incarnation"),
    );
    await open(page, "check_then_act"); // two threads of one process
    assert.deepEqual(await heads(), words("crash", "duplicate", "lose_reply", "reorder"));
  }),
);

test(
  "the cells of a design that is correct are clean, and those of a wrong one say how it fails",
  onPage(async (page) => {
    await open(page, "correct");
    assert.deepEqual(new Set(Object.values(await cells(page))), new Set(["clean"]));
    assert.match(await about(page), /38 clean/);
    assert.match(await page.innerText(".fix"), /No single fault in this run does harm/);
    await open(page, "plain");
    assert.equal((await cells(page))["1-crash"], "clean");
    assert.equal((await cells(page))["2-crash"], "duplicated");
    await open(page, "receipt_first");
    assert.ok(Object.values(await cells(page)).includes("lost"));
  }),
);

test(
  "every window of a run leads to the verdict that its cell shows",
  onPage(async (page) => {
    for (const preset of ["plain", "reply_first"]) {
      await open(page, preset);
      const all = await cells(page);
      assert.ok(Object.keys(all).length >= 15);
      for (const [id, harm] of Object.entries(all)) {
        await open(page, preset);
        await page.click(`#window-${id}`);
        const gap = Number(id.split("-")[0]);
        assert.equal((await position(page)).split(" / ")[0], String(gap + 1), id);
        await page.keyboard.press("End");
        const shown = await headline(page);
        const expected = EN[`headline.${harm === "clean" ? "done" : harm}`];
        if (harm !== "clean") assert.equal(shown, expected, id);
        else assert.ok([expected, EN["headline.running"]].includes(shown), `${id}: ${shown}`);
      }
    }
  }),
);

test(
  "the pointer shows what a window leads to, a click puts the fault there, and each step follows",
  onPage(async (page) => {
    await open(page, "plain");
    const box = () => page.locator(".window-bar").boundingBox();
    const before = await box();
    await windowCell(page, 2, "crash").hover();
    assert.match(await about(page), /crash · Process A, after step 2: at worst duplicated, in 4 steps/);
    const [ring, cell] = await Promise.all(
      [".gap-ring", "#window-2-crash .window"].map((one) => page.locator(one).boundingBox()),
    );
    assert.ok(Math.abs(ring.y + ring.height / 2 - cell.y - cell.height / 2) <= 1);
    assert.ok(Math.abs(ring.x + ring.width / 2 - cell.x - cell.width / 2) <= 1);
    assert.deepEqual(await box(), before);

    await windowCell(page, 2, "crash").click();
    assert.equal(await position(page), "3 / 6");
    assert.match(await lastTaken(page), /^crash · Process A/);
    assert.equal(await page.locator(".branches option:not([value=new])").count(), 2);
    assert.ok(await focusedOn(page, ".transport .step"));
    await mapReady(page);
    assert.match(await about(page), /3 more steps to “Applied twice”/);
    assert.match(await page.locator("[role=status]").textContent(), /3 more steps to “Applied twice”/);
    await step(page, 2);
    assert.match(await about(page), /1 more step to/);
    assert.notEqual(await headline(page), EN["headline.duplicated"]);
    await step(page);
    assert.equal(await headline(page), EN["headline.duplicated"]);

    // The run that it came from is kept.
    await page.selectOption(".branches", { index: 0 });
    assert.equal(await position(page), "6 / 6");
    assert.match((await steps(page))[2], /^lose the reply/);
  }),
);

test(
  "the map is one stop for Tab; arrows, Home and End move in it, Enter puts the fault, Esc leaves",
  onPage(async (page) => {
    await open(page, "plain");
    await seek(page, 2);
    await page.locator(".transport .step").focus();
    await page.keyboard.press("v");
    assert.ok(await focusedOn(page, ".windows"));
    assert.equal(await active(page), "window-2-crash");
    const name = await page.locator("#window-2-crash").getAttribute("aria-label");
    assert.equal(name, "crash · Process A, after step 2: at worst duplicated, in 4 steps");
    for (const [key, id] of [
      ["ArrowRight", "2-lose_reply"],
      ["ArrowRight", "2-second_incarnation"],
      ["ArrowRight", "2-second_incarnation"],
      ["ArrowUp", "1-second_incarnation"],
      ["ArrowLeft", "1-crash"],
      ["ArrowUp", "0-crash"],
      ["End", "0-second_incarnation"],
      ["Home", "0-crash"],
      ["ArrowUp", "0-crash"],
      ["ArrowDown", "1-crash"],
      ["ArrowDown", "2-crash"],
    ]) {
      await page.keyboard.press(key);
      assert.equal(await active(page), `window-${id}`, key);
    }
    assert.equal(await position(page), "2 / 6", "the run did not move");
    assert.match(await about(page), /at worst duplicated/);
    await page.keyboard.press("Escape");
    assert.ok(await focusedOn(page, ".transport .step"));
    await page.keyboard.press("v");
    await page.keyboard.press("Enter");
    assert.equal(await position(page), "3 / 6");
    assert.ok(await focusedOn(page, ".transport .step"));
    for (let i = 0; i < 3; i++) await page.keyboard.press("ArrowRight");
    assert.equal(await headline(page), EN["headline.duplicated"]);
  }),
);

test(
  "the window that the arrows go to comes into sight, on a long run",
  onPage({ hash: AT_LIMIT }, async (page) => {
    await page.locator(".windows[aria-busy=false]").waitFor({ timeout: 60_000 });
    await page.keyboard.press("Home");
    await page.keyboard.press("v");
    for (let i = 0; i < 30; i++) await page.keyboard.press("ArrowDown");
    assert.match(await active(page), /^window-30-/);
    const inSight = await page.evaluate(() => {
      const [cell, pane] = [
        document.getElementById("window-30-crash"),
        document.querySelector(".scroller"),
      ].map((one) => one.getBoundingClientRect());
      return cell.top >= pane.top - 1 && cell.bottom <= pane.bottom + 1;
    });
    assert.ok(inSight);
    assert.ok((await page.locator(".window-row").count()) < 40, "only the rows in sight are drawn");
  }),
);

test(
  "the point of no return is drawn across strip and lanes, and said in the text",
  onPage(async (page) => {
    await open(page, "plain");
    const line = page.locator(".no-return");
    assert.equal((await line.innerText()).trim(), EN["ui.no_return"]);
    const [{ y, width }, cell, lanes] = await Promise.all(
      [".no-return", "#window-3-crash", ".space-time"].map((one) => page.locator(one).boundingBox()),
    );
    assert.ok(Math.abs(y - cell.y - cell.height / 2) <= 1.5);
    assert.ok(Math.abs(width - lanes.width) <= 1);
    const said = (await steps(page)).map((line) => line.includes(EN["ui.no_return"]));
    assert.deepEqual(said, [false, false, true, false, false, false]);
    await open(page, "correct");
    assert.equal(await line.count(), 0);
  }),
);

test(
  "two faults find more, and a search that is stopped says that it proves nothing",
  onPage(async (page) => {
    await open(page, "plain");
    assert.equal((await cells(page))["1-crash"], "clean");
    const two = page.getByRole("button", {
      name: EN["ui.windows.faults"].replace(/\{0\|.*/, "faults").replace("{0}", "2"),
    });
    await two.click();
    await mapReady(page);
    assert.equal((await cells(page))["1-crash"], "duplicated");

    await page.getByRole("button", { name: "1 fault" }).click();
    await open(page, "two_processes"); // more than a million states
    const one = await cells(page);
    await two.click();
    await page
      .locator(".window-bar")
      .getByText(/^exploring/)
      .waitFor();
    assert.equal(await two.getAttribute("aria-pressed"), "true");
    // The page goes on meanwhile.
    await step(page, 2);
    assert.equal(await position(page), "2 / 20");
    await press(page, "ui.stop");
    assert.ok(await focusedOn(page, ".switch button"));
    await mapReady(page);
    assert.equal(await two.getAttribute("aria-pressed"), "false");
    assert.match(await about(page), /2 faults given up after .* states; this is 1 fault/);
    assert.deepEqual(await cells(page), one);
    assert.equal(await page.getByRole("button", { name: EN["ui.stop"] }).count(), 0);
  }),
);

test(
  "a search never holds a frame up for long",
  onPage(async (page) => {
    await open(page, "two_processes");
    const longest = await page.evaluate(async () => {
      const frame = () => new Promise(requestAnimationFrame);
      document.querySelectorAll(".switch button")[1].click();
      await frame();
      const gaps = [];
      for (let last = await frame(), i = 0; i < 40; i++) {
        const now = await frame();
        gaps.push(now - last);
        last = now;
      }
      return gaps.sort((a, b) => a - b)[30];
    });
    assert.ok(longest < 50, `three of four frames take up to ${longest} ms`);
    await press(page, "ui.stop");
  }),
);

test(
  "nothing moves when a map arrives",
  onPage({ viewport: { width: 1280, height: 720 } }, async (page) => {
    const boxes = () =>
      page.evaluate(() =>
        [
          ".row-back",
          ".lane-name",
          ".space-time",
          ".window-heads",
          ".window-bar",
          ".faults",
          ".fix",
          ".state .table",
          ".as-text-button",
        ].map((one) => {
          const { x, y, width, height } = document.querySelector(one).getBoundingClientRect();
          return [one, x, y, width, height].join(" ");
        }),
      );
    await choosePreset(page, "two_processes");
    assert.equal(await page.locator(".windows[aria-busy=true]").count(), 1, "the map is not there yet");
    const before = await boxes();
    await mapReady(page);
    assert.ok((await page.locator(".cell").count()) > 0);
    assert.deepEqual(await boxes(), before);
  }),
);

test(
  "the map follows the run and the settings, and not the cursor",
  onPage(async (page) => {
    await open(page, "plain");
    const drawn = () =>
      page
        .locator(".cell")
        .first()
        .evaluate((cell) => (cell.seen = true));
    await drawn();
    await press(page, "ui.key.last");
    assert.equal(
      await page
        .locator(".cell")
        .first()
        .evaluate((cell) => cell.seen),
      true,
      "drawn once",
    );
    await openTab(page, "choices");
    await page
      .getByLabel(EN["balance.setting.meaning"])
      .last()
      .selectOption({ label: EN["balance.meaning.set"] });
    await mapReady(page);
    assert.equal((await cells(page))["2-crash"], "clean");
    assert.equal(await page.locator(".no-return").count(), 0);
  }),
);

test(
  "a run that is too long for a map says so",
  onPage({ hash: TOO_LONG }, async (page) => {
    assert.match(await about(page), /no map: the run has more than 400 steps/);
    assert.equal(await page.locator(".cell").count(), 0);
    assert.equal(await page.locator(".windows").isVisible(), false);
    await page.keyboard.press("v"); // there is nowhere to go
    assert.equal(await focusedOn(page, "body"), true);
  }),
);

for (const locale of ["en-US", "zh-CN"]) {
  test(
    `on a phone a tap puts the fault there in ${locale}`,
    onPage({ viewport: { width: 390, height: 844 }, locale }, async (page) => {
      await open(page, "plain");
      await page.locator("[id^=window-2-]").click();
      assert.equal((await position(page)).split(" / ")[0], "3");
      await mapReady(page);
      const spoken = (await words(page))["headline.duplicated"];
      assert.ok((await about(page)).includes(spoken));
      await press(page, "ui.key.last");
      assert.equal(await headline(page), spoken);
    }),
  );
}
