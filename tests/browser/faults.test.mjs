// What each fault does to a run, where it may strike, and what a crash keeps.

import { after, test } from "node:test";
import assert from "node:assert/strict";
import {
  WORDS,
  belief,
  choose,
  choosePreset,
  close,
  faultButton,
  headline,
  onPage,
  openTab,
  position,
  press,
  reason,
  step,
  steps,
  table,
  take,
  truth,
} from "./harness.mjs";

after(close);

const HEADLINE = (id) => WORDS.en[`headline.${id}`];

test(
  "a duplicate on the plain design is applied twice",
  onPage(async (page) => {
    await choosePreset(page, "plain");
    await step(page, 2);
    await take(page, "reply");
    assert.deepEqual([await truth(page), await belief(page)], ["100", "100"]);

    await choose(page, "duplicate");
    await take(page, "write the balance");
    assert.deepEqual([await truth(page), await belief(page)], ["200", "100"]);
    assert.equal(await headline(page), HEADLINE("duplicated"));
    assert.match(await reason(page), /^“a” counts 2 times/);
  }),
);

test(
  "the same duplicate on the correct design changes nothing",
  onPage(async (page) => {
    await choosePreset(page, "correct");
    await step(page, 9);
    await take(page, "reply");
    await choose(page, "duplicate");
    assert.match((await steps(page)).at(-1), /^a: \+100 once more/);

    await step(page, 4); // lock, look for the receipt, unlock, reply
    assert.match((await steps(page)).at(-1), /^reply/);
    assert.deepEqual([await truth(page), await belief(page)], ["100", "100"]);
    assert.equal(await headline(page), HEADLINE("running"));
  }),
);

test(
  "a crash wipes what is volatile, keeps what is durable, and a restart comes back empty",
  onPage(async (page) => {
    await choosePreset(page, "memory_receipts");
    await step(page, 8); // up to the commit
    const before = await table(page, "Process A");
    assert.equal(before.kind, WORDS.en["durability.volatile"]);
    assert.match(before.entries["receipt “a”"], /100/);
    const store = await table(page, "Store");
    assert.deepEqual([store.durable, store.entries.balance], [true, "100"]);

    await choose(page, "crash");
    const down = await table(page, "Process A");
    assert.deepEqual([down.kind, down.gone], [WORDS.en["ui.gone"], true]);
    assert.equal(down.entries["receipt “a”"], "–");
    assert.deepEqual((await table(page, "Store")).entries, store.entries);

    await take(page, "restart");
    const up = await table(page, "Process A");
    assert.deepEqual([up.kind, up.gone], [WORDS.en["durability.volatile"], false]);
    assert.equal(up.entries["receipt “a”"], "–");
    assert.deepEqual((await table(page, "Store")).entries, store.entries);
  }),
);

test(
  "a crash inside a transaction leaves nothing of it",
  onPage(async (page) => {
    await choosePreset(page, "correct");
    await step(page, 7); // up to the commit, which is not taken
    assert.equal((await table(page, "Process A")).entries.transaction, "receipt, balance 100");

    await choose(page, "crash");
    assert.equal((await table(page, "Process A")).entries.transaction, "–");
    assert.equal((await table(page, "Store")).entries.balance, "0");
    assert.equal(await truth(page), "0");
  }),
);

test(
  "a lost reply leaves the client in doubt, and it asks again",
  onPage(async (page) => {
    await choosePreset(page, "correct");
    await step(page, 9);
    await choose(page, "lose_reply");
    assert.deepEqual([await truth(page), await belief(page)], ["100", "0"]);
    assert.equal(await headline(page), HEADLINE("unknown"));
    assert.equal((await table(page, "Client")).entries["a: +100"], "waits");

    await take(page, "send again a: +100");
    await step(page, 4);
    assert.deepEqual([await truth(page), await belief(page)], ["100", "100"]);
  }),
);

test(
  "a later operation can overtake, and the menu says which",
  onPage(async (page) => {
    await choosePreset(page, "plain");
    await choose(page, "reorder", "c: −30 too early");
    assert.match((await steps(page)).at(-1), /^c: −30 too early/);
    await step(page);
    assert.match((await steps(page)).at(-1), /^write the balance/);
    await step(page);
    assert.equal((await table(page, "Client")).entries["c: −30"], "refused: too little");
  }),
);

test(
  "a used id with another number is a conflict on the correct design",
  onPage(async (page) => {
    await choosePreset(page, "correct");
    await step(page, 9);
    await take(page, "reply");
    await openTab(page, "rows");
    await page.getByLabel("Id 2").fill("a");
    await page.getByLabel("Id 2").press("Enter");

    await choose(page, "other_content");
    await step(page, 4);
    assert.equal((await table(page, "Client")).entries["a: −30"], "conflict: other content");
    assert.equal(await truth(page), "100");
  }),
);

test(
  "a used id with another number counts as well on the plain design",
  onPage(async (page) => {
    await choosePreset(page, "plain");
    await step(page, 2);
    await take(page, "reply");
    await openTab(page, "rows");
    await page.getByLabel("Id 2").fill("a");
    await page.getByLabel("Id 2").press("Enter");

    await choose(page, "other_content");
    await step(page);
    assert.equal(await truth(page), "70");
    assert.equal(await headline(page), HEADLINE("duplicated"));
    assert.match(await reason(page), /^Two contents under the id “a”/);
  }),
);

test(
  "a second process runs beside the first, and can be started once",
  onPage(async (page) => {
    assert.equal(await page.locator(".state .table").count(), 3);
    const heads = () => page.locator(".lane-heads .lane-name").allTextContents();
    assert.deepEqual(await heads(), ["Client", "Process A", "Store"], "what never runs takes no room");

    await choose(page, "second_incarnation");
    assert.equal(await page.locator(".state .table").count(), 4);
    assert.deepEqual(await heads(), ["Client", "Process A", "Process B", "Store"]);
    assert.equal(await page.locator(".lane-heads .absent").count(), 0);
    await page.keyboard.press("ArrowLeft");
    assert.equal(await page.locator(".lane-heads .absent").count(), 1, "before it was started");
    await page.keyboard.press("ArrowRight");
    assert.equal((await table(page, "Process B")).volatile, true);
    assert.equal(await (await faultButton(page, "second_incarnation")).isEnabled(), false);

    // Both processes can now be the one that crashes.
    await choose(page, "crash", "Process B");
    assert.equal((await table(page, "Process B")).gone, true);
    assert.equal((await table(page, "Process A")).gone, false);
  }),
);

test(
  "a fault that is not possible here keeps its place, disabled, and its key does nothing",
  onPage(async (page) => {
    const button = await faultButton(page, "lose_reply");
    assert.equal(await button.isEnabled(), false);
    await page.keyboard.press("x");
    assert.equal(await position(page), "0 / 15");

    const place = await button.boundingBox();
    await step(page, 9);
    assert.equal(await button.isEnabled(), true);
    assert.deepEqual(await button.boundingBox(), place);
  }),
);

test(
  "a menu closes where the page beside it is clicked, and nothing happens",
  onPage(async (page) => {
    await (await faultButton(page, "reorder")).click();
    assert.equal(await page.getByRole("menuitem").count(), 2);
    await page.mouse.click(600, 300);
    assert.equal(await page.getByRole("menuitem").count(), 0);
    assert.equal(await position(page), "0 / 15");
  }),
);
