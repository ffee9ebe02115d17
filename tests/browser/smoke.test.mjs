// The built page starts wherever it is served, in silence, and stays small.

import { after, test } from "node:test";
import assert from "node:assert/strict";
import { pageSize } from "../../tools/page-size.mjs";
import { DIST } from "../../tools/serve.mjs";
import { FOLDER, ROOT, close, openPage } from "./harness.mjs";

const PAGE_KB_MAX = 170;

after(close);

for (const path of [ROOT, FOLDER]) {
  test(`the page starts at ${path} with no error and no foreign request`, async () => {
    const page = await openPage({ path });
    await page.waitForLoadState("networkidle");
    assert.deepEqual(page.trouble, { errors: [], foreign: [], late: [] });
    assert.notEqual((await page.innerText("body")).trim(), "");
  });
}

test(`the page is at most ${PAGE_KB_MAX} KB, compressed`, () => {
  const { total } = pageSize(DIST);
  assert.ok(total <= PAGE_KB_MAX, `it is ${total.toFixed(1)} KB`);
});
