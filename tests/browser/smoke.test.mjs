// The built page starts wherever it is served, in silence, and stays small.

import { after, test } from "node:test";
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { pageSize } from "../../tools/page-size.mjs";
import { DIST } from "../../tools/serve.mjs";
import { singleFile } from "../../tools/single-file.mjs";
import { FOLDER, ROOT, close, onPage, openPage, position, step } from "./harness.mjs";

// Room for the explorer and the map of a few more labs: each lab compiles its own search. A visitor on a
// slow line (1 Mbit/s) waits about three seconds, and sees the first picture meanwhile.
const PAGE_KB_MAX = 380;

after(close);

for (const path of [ROOT, FOLDER]) {
  test(`the page starts at ${path} with no error and no foreign request`, async () => {
    const page = await openPage({ path });
    await page.waitForLoadState("networkidle");
    assert.deepEqual(page.trouble, { errors: [], foreign: [], late: [] });
    assert.notEqual((await page.innerText("body")).trim(), "");
  });
}

test("the page starts as one file from disk, asks for nothing, and runs", async (context) => {
  const folder = mkdtempSync(join(tmpdir(), "effectively-once-"));
  try {
    writeFileSync(join(folder, "page.html"), singleFile(DIST));
    const file = pathToFileURL(join(folder, "page.html")).href;
    const run = onPage({ file }, async (page) => {
      await step(page, 3);
      assert.equal(await position(page), "3 / 15");
    });
    await run(context);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test(`the page is at most ${PAGE_KB_MAX} KB, compressed`, () => {
  const { total } = pageSize(DIST);
  assert.ok(total <= PAGE_KB_MAX, `it is ${total.toFixed(1)} KB`);
});
