// The design as a whole: checked on demand, said with what was proved, and its shortest harmful run
// put on a branch. Of a single run nothing is said that it does not show.

import { after, test } from "node:test";
import assert from "node:assert/strict";
import {
  WORDS,
  about,
  axe,
  choosePreset,
  close,
  headline,
  mapReady,
  onPage,
  openTab,
  position,
  press,
} from "./harness.mjs";

after(close);

const EN = WORDS.en;
const ZH = WORDS.zh;
const EMPTY = "#v=1&lab=payment&key=per_attempt";

const said = (page) => page.innerText(".check-words");
const fix = (page) => page.innerText(".fix-words");
const finished = (page) => page.locator(".check-words:is(.clean, .lost, .duplicated)").waitFor();

test(
  "of a run without steps nothing good is said, whatever its settings",
  onPage({ hash: EMPTY }, async (page) => {
    await mapReady(page);
    assert.equal(await fix(page), EN["ui.fix.no_steps"]);
    assert.equal(await about(page), EN["ui.windows.no_steps"]);
    assert.equal(await said(page), EN["ui.check.about"]);
    const colour = (selector) =>
      page.locator(selector).first().evaluate((element) => getComputedStyle(element).color);
    const muted = await colour(".check-words");
    assert.equal(await colour(".cell .window.clean"), muted);
    await page.keyboard.press("g");
    assert.equal(await fix(page), ZH["ui.fix.no_steps"]);
  }),
);

test(
  "what is said of a run names the run, with one fault and with two",
  onPage(async (page) => {
    await mapReady(page);
    assert.match(await fix(page), /^No single fault in this run does harm/);
    assert.match(await about(page), /this run with 1 fault more: all 1011 states explored/);
    await page.getByRole("button", { name: "2 faults", exact: true }).click();
    await mapReady(page);
    assert.match(await fix(page), /^No two faults in this run do harm/);
    assert.match(await about(page), /this run with 2 faults more/);
    assert.equal(await said(page), EN["ui.check.about"]);
  }),
);

test(
  "a design that does harm is found out from an empty run, and the run that shows it is put there",
  onPage({ hash: EMPTY }, async (page) => {
    await page.keyboard.press("a");
    await finished(page);
    const text = await said(page);
    const [, harm, faults, steps] = text.match(/^(.+)\. Shortest: (\d) faults?, (\d+) steps?\. The worst in all/);
    assert.ok(Number(faults) <= 2);
    await press(page, "ui.check.show");
    assert.equal(await position(page), `0 / ${steps}`);
    assert.ok(await page.evaluate(() => document.activeElement.matches(".transport .step")));
    await page.keyboard.press("End");
    assert.equal(await headline(page), harm);
    // What was found is still known.
    assert.equal(await said(page), text);
  }),
);

test(
  "the harmful run is shown from its start, also where another run has come to its end",
  onPage(async (page) => {
    await choosePreset(page, "receipt_first");
    await page.keyboard.press("End");
    await page.keyboard.press("a");
    await finished(page);
    await page.keyboard.press("a");
    assert.match(await position(page), /^0 \//);
    await page.keyboard.press("End");
    assert.ok((await said(page)).startsWith(await headline(page)));
  }),
);

test(
  "the harmful run is a branch of its own beside the run that was shown",
  onPage(async (page) => {
    await choosePreset(page, "plain");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("c");
    const branches = () => page.locator(".branches option:not([value=new])").count();
    assert.equal(await branches(), 2);
    await page.keyboard.press("a");
    await finished(page);
    await page.keyboard.press("a");
    assert.match(await position(page), /^0 \//);
    const after = await branches();
    assert.ok(after >= 2, `${after} branches`);
    await page.keyboard.press("End");
    assert.ok((await said(page)).startsWith(await headline(page)));
    // The run with the crash is still there.
    const crashed = async () => (await page.locator(".steps li").allTextContents()).join().includes("crash");
    let seen = await crashed();
    for (let i = 0; i < after; i++) {
      await page.keyboard.press("]");
      seen ||= await crashed();
    }
    assert.ok(seen);
  }),
);

test(
  "a clean design is called clean with its number of states, until a setting changes",
  onPage(async (page) => {
    await press(page, "ui.check");
    await page.locator(".check-words.clean").waitFor();
    assert.match(await said(page), /^Clean: all [\d\s]+ states, every run with up to 2 faults\.$/);
    assert.equal(await page.locator(".check-main").isVisible(), false);
    await page.keyboard.press("End");
    assert.match(await said(page), /^Clean/);
    await openTab(page, "choices");
    const receipts = page.getByLabel(EN["balance.setting.receipts"]);
    await receipts.selectOption({ label: EN["balance.receipts.memory"] });
    assert.equal(await said(page), EN["ui.check.about"]);
  }),
);

test(
  "a check is stopped, says that nothing is proved, and can begin again",
  onPage({ hash: "#v=1&lab=payment" }, async (page) => {
    // The first slice has run; a click in the same frame comes before the next.
    await page.locator(".check-main").evaluate(async (button) => {
      button.click();
      await new Promise((done) => setTimeout(done));
      button.click();
    });
    assert.match(await said(page), /^Stopped after [\d\s]+ states: nothing is proved\.$/);
    await page.waitForTimeout(200);
    assert.match(await said(page), /^Stopped/);
    assert.equal(await page.locator(".check-main").innerText(), EN["ui.check"]);
  }),
);

for (const locale of ["en-US", "zh-CN"]) {
  test(
    `nothing below the check moves, and what it says is whole: ${locale}`,
    onPage({ locale }, async (page) => {
      const below = () => page.locator(".state .table").first().boundingBox();
      const whole = () =>
        page.locator(".check-words").evaluate((it) => it.scrollHeight <= it.clientHeight + 1);
      await choosePreset(page, "plain");
      await mapReady(page);
      const before = await below();
      assert.ok(await whole());
      await page.keyboard.press("a");
      await finished(page);
      assert.deepEqual(await below(), before);
      assert.ok(await whole(), await said(page));
      assert.deepEqual(await axe(page), []);
    }),
  );
}
