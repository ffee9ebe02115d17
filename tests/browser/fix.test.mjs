// Fixes: found by exploring other settings, said with their proof, and applied.

import { after, test } from "node:test";
import assert from "node:assert/strict";
import {
  WORDS,
  choosePreset,
  close,
  headline,
  mapReady,
  notice,
  onPage,
  openTab,
  position,
  press,
  windowCell,
} from "./harness.mjs";

after(close);

const EN = WORDS.en;

const said = async (page) => (await page.locator(".fix-words").innerText()).replace(/\s+/g, " ").trim();
const found = (page) => page.locator(".fix.found").waitFor();

test(
  "the smallest fix is found, said with its proof, and applied: the cell turns clean",
  onPage(async (page) => {
    await choosePreset(page, "memory_receipts");
    await press(page, "ui.key.last");
    assert.equal(await headline(page), EN["headline.duplicated"]);
    await press(page, "ui.fix");
    await found(page);
    assert.match(
      await said(page),
      /^Where the receipts are kept: in memory → in the store Clean in all 3970 states/,
    );
    assert.equal(await page.locator(".fix .change b").innerText(), "in the store");
    assert.equal(await page.locator(".turn span").innerText(), "1 / 3");

    await press(page, "ui.fix.apply");
    await mapReady(page);
    await openTab(page, "choices");
    const receipts = page.getByLabel(EN["balance.setting.receipts"]).last();
    assert.equal(await receipts.locator("option:checked").innerText(), EN["balance.receipts.store"]);
    await page.keyboard.press("Home");
    const cell = windowCell(page, 8, "crash").locator(".window");
    assert.match(await cell.getAttribute("class"), /clean/);
    assert.equal(await page.locator(".no-return").count(), 0);
  }),
);

test(
  "several fixes are gone through in a circle, and one that shortens the run says so",
  onPage(async (page) => {
    await choosePreset(page, "plain");
    await mapReady(page);
    await press(page, "ui.fix");
    await found(page);
    const first = await said(page);
    assert.match(
      first,
      /^Steps for each delivery: take the lock → look for the receipt → .* → reply Clean in all/,
    );
    assert.match(first, /Your run goes on differently from step 3\.$/);
    await press(page, "ui.fix.next");
    assert.match(
      await said(page),
      /^What the number means: add it → set the balance to it Clean in all 542 states/,
    );
    assert.doesNotMatch(await said(page), /goes on differently/);
    await press(page, "ui.fix.previous");
    assert.equal(await said(page), first);
    await press(page, "ui.fix.previous");
    assert.equal(await page.locator(".turn span").innerText(), "3 / 3");
    await press(page, "ui.fix.next");
    await press(page, "ui.fix.apply");
    const repaired = await position(page);
    assert.match(repaired, /^0 \/ (?!2$)/, "it goes on to its end");
    assert.equal(await notice(page), EN["ui.notice.repaired"]);
    await page.keyboard.press("q");
    assert.equal(await position(page), "0 / 6", "the run without the fix");
    assert.equal(await page.innerText(".story"), EN["balance.preset.plain.story"]);
    await page.keyboard.press("q");
    assert.equal(await position(page), repaired);
  }),
);

test(
  "two changes are looked for where one is not enough",
  onPage(async (page) => {
    await choosePreset(page, "in_memory");
    await mapReady(page);
    await press(page, "ui.fix");
    await found(page);
    assert.equal(await page.locator(".fix .change").count(), 2);
    assert.match(await said(page), /Clean in all 3878 states, up to 2 faults\./);
  }),
);

test(
  "a search for a fix is stopped, says that nothing is proved, and can begin again",
  onPage(async (page) => {
    await choosePreset(page, "in_memory");
    await mapReady(page);
    // The first slice has run; a click in the same frame comes before the next.
    await page.locator(".fix-main").evaluate(async (button) => {
      button.click();
      await new Promise((done) => setTimeout(done));
      button.click();
    });
    assert.match(await said(page), /^Stopped: \d+ of \d+ tried, nothing is proved\.$/);
    await page.waitForTimeout(300);
    assert.match(await said(page), /^Stopped/);
    await press(page, "ui.fix");
    await found(page);
  }),
);

test(
  "h looks for a fix and applies it; the focus stays where the run goes on",
  onPage(async (page) => {
    await choosePreset(page, "plain");
    await mapReady(page);
    await page.locator(".transport .step").focus();
    await page.keyboard.press("h");
    await found(page);
    await page.keyboard.press("h");
    await mapReady(page);
    assert.equal(await page.locator(".fix.found").count(), 0);
    assert.ok(await page.evaluate(() => document.activeElement.matches(".transport .step")));
  }),
);

test(
  "there is nothing to fix in a design that is clean, and another design begins anew",
  onPage(async (page) => {
    await mapReady(page);
    assert.equal(await page.locator(".fix-main").isVisible(), false);
    await page.keyboard.press("h");
    assert.match(await said(page), /^No single fault in this run does harm: 1011 states\.$/);
    await choosePreset(page, "plain");
    await mapReady(page);
    await press(page, "ui.fix");
    await found(page);
    await choosePreset(page, "receipt_first");
    assert.equal(await page.locator(".fix.found").count(), 0);
  }),
);

test(
  "nothing below the fix moves, whatever it says",
  onPage(async (page) => {
    const table = () => page.locator(".state .table").first().boundingBox();
    await choosePreset(page, "plain");
    await mapReady(page);
    const before = await table();
    await press(page, "ui.fix");
    await found(page);
    assert.deepEqual(await table(), before, "with a fix that is looked at");
    await page.locator(".transport .step").focus();
    await page.mouse.move(2, 2);
    assert.deepEqual(await table(), before);
    await press(page, "ui.fix.next");
    await press(page, "ui.fix.apply");
    await mapReady(page);
    assert.deepEqual(await table(), before, "with a clean design");
  }),
);
