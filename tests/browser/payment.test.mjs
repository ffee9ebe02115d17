// The payment lab on the page: a fault put from the map, the way to its harm, the point of no
// return, and the fix that closes the window.

import { after, test } from "node:test";
import assert from "node:assert/strict";
import {
  WORDS,
  chooseLab,
  choosePreset,
  close,
  headline,
  mapReady,
  onPage,
  openTab,
  position,
  press,
  step,
  table,
  truth,
  windowCell,
} from "./harness.mjs";

after(close);

const EN = WORDS.en;

/** Opens a design of the payment lab, and waits for its map. */
async function open(page, preset) {
  await chooseLab(page, "payment");
  await choosePreset(page, preset);
  await mapReady(page);
}

/** Steps to the end of the run that is recorded. */
async function follow(page) {
  for (;;) {
    const [at, length] = (await position(page)).split(" / ");
    if (at === length) return;
    await step(page);
  }
}

const harmOf = (page, gap, fault) => windowCell(page, gap, fault).locator(".window").getAttribute("class");

test(
  "no fault does harm to the recommended design, wherever in its run it strikes",
  onPage(async (page) => {
    await open(page, "correct");
    const windows = (harm) => page.locator(`.windows .window.${harm}`).count();
    for (const harm of ["duplicated", "lost", "wrong_belief", "endless", "stuck"]) {
      assert.equal(await windows(harm), 0, harm);
    }
    assert.ok((await windows("clean")) > 20);
    assert.equal(await page.locator(".no-return").count(), 0);
  }),
);

test(
  "a time-out put from the map charges twice, and one key for every attempt closes the window",
  onPage(async (page) => {
    await open(page, "new_key");
    // The request is on its way to the gateway.
    await page.keyboard.press("Home");
    assert.match(await harmOf(page, 6, "time_out"), /duplicated/);
    await windowCell(page, 6, "time_out").click();
    assert.equal((await position(page)).split(" / ")[0], "7");
    await follow(page);
    assert.equal(await truth(page), "200");
    assert.equal(await headline(page), EN["headline.duplicated"]);
    await mapReady(page);
    assert.equal(await page.locator(".no-return").count(), 1);

    await press(page, "ui.fix");
    await page.locator(".fix.found").waitFor();
    assert.match(await page.locator(".fix .change").first().innerText(), /Idempotency key/);
    assert.equal(await page.locator(".fix .change b").first().innerText(), EN["payment.key.stable"]);
    await press(page, "ui.fix.apply");
    await mapReady(page);
    await page.keyboard.press("Home");
    assert.match(await harmOf(page, 6, "time_out"), /clean/);
    assert.equal(await page.locator(".no-return").count(), 0);
  }),
);

test(
  "the same by keyboard alone",
  onPage(async (page) => {
    await open(page, "time_out_fails");
    await page.keyboard.press("Home");
    await page.focus(".windows");
    const active = () => page.getAttribute(".windows", "aria-activedescendant");
    for (let i = 0; i < 40 && (await active()) !== "window-8-lose_reply"; i++) {
      const gap = Number((await active())?.split("-")[1] ?? 0);
      await page.keyboard.press(gap < 8 ? "ArrowDown" : "ArrowRight");
    }
    assert.equal(await active(), "window-8-lose_reply");
    await page.keyboard.press("Enter");
    assert.equal((await position(page)).split(" / ")[0], "9");
    await follow(page);
    assert.equal(await headline(page), EN["headline.wrong_belief"]);
    assert.equal((await table(page, EN["payment.lane.customer"])).entries.told, EN["payment.told.failed"]);
  }),
);

test(
  "another lab is opened while its settings are shown, and there and back nothing is left over",
  onPage(async (page) => {
    for (const tab of ["choices", "rows"]) {
      await chooseLab(page, "balance");
      await openTab(page, tab);
      await chooseLab(page, "payment");
      await mapReady(page);
      const shown = await page.locator("#tab-panel").innerText();
      assert.match(shown, tab === "rows" ? /check the status/ : /Idempotency key/);
      assert.equal(await page.locator("#tab-rows").isVisible(), false);
    }
    // A fix of a setting that the other lab does not have.
    await choosePreset(page, "refusal_final");
    await press(page, "ui.fix");
    await page.locator(".fix.found").waitFor();
    assert.match(await page.locator(".fix .change").first().innerText(), /A refusal is/);
    await chooseLab(page, "balance");
    assert.equal(await page.locator("#tab-rows").isVisible(), true);
    assert.equal(await page.locator(".fix.found").count(), 0);
  }),
);
