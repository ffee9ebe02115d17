// What a person types: any id, any 64-bit number; anything else is refused beside its field.

import { after, test } from "node:test";
import assert from "node:assert/strict";
import {
  WORDS,
  belief,
  choosePreset,
  close,
  notice,
  onPage,
  openTab,
  press,
  shown,
  step,
  steps,
  table,
  take,
  truth,
} from "./harness.mjs";

after(close);

const field = (page, name) => page.getByLabel(name, { exact: true });

/** Types into a field and leaves it. */
async function type(page, name, value) {
  await field(page, name).fill(value);
  await field(page, name).press("Tab");
}

/** The message beside a field, as a screen reader finds it. */
async function problem(page, name) {
  const input = field(page, name);
  if ((await input.getAttribute("aria-invalid")) !== "true") return undefined;
  return page.locator(`#${await input.getAttribute("aria-describedby")}`).innerText();
}

/** The plain design with the operations in sight. */
const onOperations = (work) =>
  onPage(async (page, context) => {
    await choosePreset(page, "plain");
    await openTab(page, "rows");
    await work(page, context);
  });

test(
  "a typed operation is sent, applied and answered",
  onOperations(async (page) => {
    await type(page, "Id 1", "rent, March");
    await type(page, "Number 1", "1250");
    await take(page, "send rent, March: +1250");
    await step(page);
    await take(page, "reply");
    assert.equal((await table(page, "Client")).entries["rent, March: +1250"], "done: 1250");
  }),
);

test(
  "a change of a number replays the run with it",
  onOperations(async (page) => {
    await press(page, "ui.key.last");
    assert.equal(await truth(page), "200");
    await type(page, "Number 1", "7");
    assert.equal(await truth(page), "14");
    assert.equal((await steps(page)).length, 6);
  }),
);

test(
  "a line is added and sent",
  onOperations(async (page) => {
    await press(page, "ui.add_row");
    assert.equal(await page.locator(".records tbody tr").count(), 4);
    assert.deepEqual(
      [await field(page, "Id 4").inputValue(), await field(page, "Number 4").inputValue()],
      ["d", "10"],
    );
    await press(page, "ui.key.last");
    for (const id of ["b", "c", "d"]) {
      await take(page, `send ${id}`);
      await step(page, 2);
    }
    assert.equal((await table(page, "Client")).entries["d: +10"], "done: 150");
  }),
);

test(
  "there is an end to the lines that can be added",
  onOperations(async (page) => {
    const add = page.locator("button.add");
    while (await add.isEnabled()) await add.click();
    assert.equal(await page.locator(".records tbody tr").count(), 12);
  }),
);

test(
  "a line is removed, and the ones below move up",
  onOperations(async (page) => {
    await page.getByRole("button", { name: "Remove line 2" }).click();
    assert.equal(await page.locator(".records tbody tr").count(), 2);
    assert.equal(await field(page, "Id 2").inputValue(), "c");
    assert.deepEqual(Object.keys((await table(page, "Client")).entries), ["a: +100", "c: −30"]);
  }),
);

test(
  "removing the line that the run sends says where the run now ends",
  onOperations(async (page) => {
    for (const line of [3, 2, 1]) await page.getByRole("button", { name: `Remove line ${line}` }).click();
    assert.equal(await page.locator(".records tbody tr").count(), 0);
    assert.match(await notice(page), /the run ends before step 1: “send a: \+100 → Process A” is not possible/);
    await press(page, "ui.add_row");
    assert.equal((await steps(page)).length, 6);
  }),
);

const REFUSED = [
  ["Id 1", "", "empty_text"],
  ["Id 1", "x".repeat(201), "text_too_long", "200"],
  ["Number 1", "", "not_an_integer"],
  ["Number 1", "12.5", "not_an_integer"],
  ["Number 1", "9223372036854775808", "not_an_integer"],
  ["Number 1", "-9223372036854775809", "not_an_integer"],
  ["Number 1", "ten", "not_an_integer"],
  ["Number 1", "1e3", "not_an_integer"],
  ["Number 1", "0x10", "not_an_integer"],
];
for (const [name, value, key, limit] of REFUSED) {
  const what = value.length > 30 ? `${value.length} characters` : `“${value}”`;
  test(
    `${what} is refused beside the field ${name}, and the run stays`,
    onOperations(async (page) => {
      await step(page, 3);
      const before = [await shown(page), await steps(page)];
      await type(page, name, value);
      assert.equal(await problem(page, name), WORDS.en[`problem.${key}`].replace("{0}", limit));
      assert.equal(await field(page, name).inputValue(), value);
      assert.deepEqual([await shown(page), await steps(page)], before);

      // It is mended as it is typed.
      await field(page, name).fill("5");
      assert.equal(await problem(page, name), undefined);
    }),
  );
}

test(
  "what was refused stays in its field while the run goes on",
  onOperations(async (page) => {
    await type(page, "Number 2", "many");
    await step(page, 3);
    assert.equal(await field(page, "Number 2").inputValue(), "many");
    assert.equal(await problem(page, "Number 2"), WORDS.en["problem.not_an_integer"]);
  }),
);

const SMALLEST = "-9223372036854775808";
const LONG_ID = "收款🧾".repeat(66) + "ab"; // 200 characters, of more bytes and UTF-16 units

test(
  "the smallest 64-bit number is taken, and refused by the rules alone",
  onOperations(async (page) => {
    await type(page, "Number 1", SMALLEST);
    assert.equal(await problem(page, "Number 1"), undefined);
    await step(page, 2);
    await take(page, "reply");
    assert.equal(await truth(page), "0");
    const [answer] = Object.values((await table(page, "Client")).entries);
    assert.equal(answer, "refused: too little");
  }),
);

test(
  "the largest 64-bit number is taken and fits into its figure",
  onOperations(async (page) => {
    await type(page, "Number 1", "9223372036854775807");
    await step(page, 2);
    assert.equal((await truth(page)).replace(/\D/g, ""), "9223372036854775807");
    const fits = await page
      .locator(".figure .value")
      .first()
      .evaluate((value) => value.scrollWidth <= value.clientWidth);
    assert.ok(fits, "the figure is cut off");
  }),
);

test(
  "an id of 200 characters of any script is taken and sent",
  onOperations(async (page) => {
    assert.equal([...LONG_ID].length, 200);
    await type(page, "Id 1", LONG_ID);
    assert.equal(await problem(page, "Id 1"), undefined);
    await take(page, `send ${LONG_ID}`);
    await step(page, 2);
    assert.equal(await truth(page), "100");
    assert.match((await steps(page))[0], new RegExp(LONG_ID));
  }),
);

test(
  "two lines of equal content are one operation, sent again",
  onOperations(async (page) => {
    await type(page, "Id 2", "a");
    await type(page, "Number 2", "100");
    await step(page, 2);
    await take(page, "reply");
    await page
      .getByRole("group", { name: "Faults" })
      .getByRole("button", { name: /^duplicate/ })
      .click();
    assert.equal(await belief(page), "100");
  }),
);
