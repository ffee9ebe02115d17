// A run leaves the page as a link or a file, and comes back as it was.

import { after, test } from "node:test";
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import {
  WORDS,
  choose,
  choosePreset,
  close,
  linkIn,
  notice,
  onPage,
  openPage,
  openTab,
  position,
  press,
  shown,
  step,
  take,
  truth,
} from "./harness.mjs";

after(close);

const ODD_IDS = ["收款 №1 🧾", "&=~_.%+#*", ' "quoted" \\', "ﷺ‮rtl", "'; <b>&amp;"];

/** What another person sees who is given the link. */
async function shownByLink(link) {
  const other = await openPage({ hash: link });
  try {
    assert.deepEqual(other.trouble, { errors: [], foreign: [], late: [] });
    return await shown(other);
  } finally {
    await other.context().close();
  }
}

async function type(page, label, value) {
  await page.getByLabel(label, { exact: true }).fill(value);
  await page.getByLabel(label, { exact: true }).press("Enter");
}

/** Opens a run file that has this content. */
async function openFile(page, content) {
  await page.setInputFiles("input[type=file]", {
    name: "run.json",
    mimeType: "application/json",
    buffer: Buffer.from(content),
  });
}

test(
  "the address holds the run, and shows it in another window",
  onPage(async (page) => {
    await choosePreset(page, "plain");
    await step(page, 2);
    await take(page, "reply");
    await choose(page, "duplicate");
    await step(page);
    const link = await linkIn(page, /run=deliver\+1\+a\.step\+a\*2\.deliver\+1\+a\.step\+a$/);
    assert.deepEqual(await shownByLink(link), await shown(page));
    assert.equal(await truth(page), "200");
  }),
);

test(
  "the address holds the position too",
  onPage(async (page) => {
    await step(page, 4);
    const link = await linkIn(page, /&at=4$/);
    assert.deepEqual(await shownByLink(link), await shown(page));
    assert.equal(await position(page), "4 / 15");
  }),
);

test(
  "a link opens with the same steps in sight",
  onPage(async (page) => {
    await choosePreset(page, "two_processes");
    await step(page, 14);
    const other = await openPage({ hash: await linkIn(page, /&at=14$/) });
    const scrolled = (page) =>
      page.evaluate(
        () =>
          new Promise((seen) =>
            requestAnimationFrame(() =>
              requestAnimationFrame(() => seen(document.querySelector(".scroller").scrollTop)),
            ),
          ),
      );
    assert.equal(await scrolled(other), await scrolled(page));
    await other.context().close();
  }),
);

test(
  "a page that is loaded anew shows the run that it had",
  onPage(async (page) => {
    await choosePreset(page, "two_processes");
    await step(page, 12);
    await linkIn(page, /&at=12$/);
    const before = await shown(page);
    await page.reload();
    await page.waitForFunction(() => window.started);
    assert.deepEqual(await shown(page), before);
    page.trouble.late = []; // what the page is made of was asked for once more
  }),
);

test(
  "ids of any characters travel by link",
  onPage(async (page) => {
    await choosePreset(page, "plain");
    await openTab(page, "rows");
    for (const id of ODD_IDS) {
      await type(page, "Id 1", id);
      await step(page, 2);
      const link = await linkIn(page, (url) =>
        url.hash.includes(encodeURIComponent(id).replace(/[!'()*~_.]/g, percent)),
      );
      const other = await openPage({ hash: link });
      await openTab(other, "rows");
      assert.equal(await other.getByLabel("Id 1").inputValue(), id);
      assert.deepEqual(await shown(other), await shown(page));
      await other.context().close();
      await press(page, "ui.key.first");
    }
  }),
);

const percent = (c) => "%" + c.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0");

for (const [what, link, line] of [
  ["is of a later version", "#v=2&lab=balance", /version: version 2 of the format is not known/],
  ["names no lab that there is", "#v=1&lab=nothing", /lab: there is no lab “nothing”/],
  [
    "has an impossible action",
    "#v=1&lab=balance&run=deliver+1+a.restart+a",
    /actions\[1\]: “restart a” is not possible at this step/,
  ],
  ["has an unknown setting", "#v=1&lab=balance&colour=red", /colour: is not known/],
  ["is cut off", "#v=1&lab=balance&operations=a~", /operations\[0\]\.delta: must be a whole number/],
  ["is no link at all", "#section-2", /section-2/],
]) {
  test(
    `a link that ${what} is refused by one line, and the page begins as ever`,
    onPage({ hash: link }, async (page) => {
      assert.match(await notice(page), line);
      assert.match(await notice(page), /The link was not opened; this is the first example\.$/);
      assert.equal(await position(page), "0 / 15");
      // Loaded again, the page would show this run.
      await linkIn(page, /#v=1&lab=balance&run=deliver/);
      await step(page);
      assert.equal(await position(page), "1 / 15");
      assert.equal(await page.locator(".notice").count(), 0);
    }),
  );
}

test(
  "a broken link in a window with a run leaves the run",
  onPage(async (page) => {
    await choosePreset(page, "plain");
    await step(page, 5);
    await linkIn(page, /&at=5$/);
    const before = await shown(page);
    await page.evaluate(() => (location.hash = "v=1&lab=balance&run=jump"));
    await page.locator(".notice").waitFor();
    assert.match(await notice(page), /actions\[0\]: “jump” is not possible/);
    assert.deepEqual(await shown(page), before);
  }),
);

test(
  "another link typed into the address bar is opened",
  onPage(async (page) => {
    await page.evaluate(() => (location.hash = "v=1&lab=balance&handler=write.reply&run=deliver+1+a.step+a"));
    await page.locator(".position", { hasText: "2 / 2" }).waitFor();
    assert.equal(await truth(page), "100");
  }),
);

test(
  "the browser's way back leads from a design to the run before",
  onPage(async (page) => {
    await choosePreset(page, "plain");
    await step(page, 3);
    await take(page, "send again");
    await linkIn(page, /&at=4$/);
    const before = await shown(page);

    await choosePreset(page, "in_memory");
    await step(page);
    await linkIn(page, /workers=threads.*&at=1$/);
    const after = await shown(page);
    await page.goBack();
    await page.locator(".position", { hasText: "4 / 6" }).waitFor();
    assert.deepEqual(await shown(page), before);
    await page.goForward();
    await page.locator(".position", { hasText: "1 / 9" }).waitFor();
    assert.deepEqual(await shown(page), after);
  }),
);

test(
  "copying the link says so",
  onPage(async (page) => {
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await step(page, 3);
    await press(page, "ui.copy_link");
    await page.locator(".notice").waitFor();
    assert.equal(await notice(page), WORDS.en["ui.link_copied"]);
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), `${page.url()}&lang=en`);
    assert.match(page.url(), /&at=3$/);
  }),
);

test(
  "the branches of the run survive a reload",
  onPage(async (page) => {
    await choosePreset(page, "plain");
    await step(page, 2);
    await page.keyboard.press("c");
    await page.waitForFunction(() => sessionStorage["effectively-once.branches"]?.split("\n").length === 4);
    const options = () => page.locator(".branches option").allTextContents();
    const before = [await options(), await shown(page)];
    await linkIn(page, /crash/);
    page.trouble.late.length = 0;
    await page.reload();
    await page.locator(".transport .step").waitFor();
    page.trouble.late.length = 0;
    assert.deepEqual([await options(), await shown(page)], before);
  }),
);

test(
  "where the browser keeps the clipboard, the link stands in the address",
  onPage(async (page) => {
    await page.evaluate(() => (navigator.clipboard.writeText = () => Promise.reject(new Error("no"))));
    await step(page, 3);
    await press(page, "ui.copy_link");
    await page.locator(".notice").waitFor();
    assert.equal(await notice(page), WORDS.en["ui.link_in_address"]);
    assert.match(page.url(), /&at=3$/);
  }),
);

test(
  "a saved file opens as the same run",
  onPage(async (page) => {
    await choosePreset(page, "receipt_first");
    await openTab(page, "rows");
    await type(page, "Id 1", ODD_IDS[0]);
    await step(page, 9);
    const before = await shown(page);

    const saving = page.waitForEvent("download");
    await press(page, "ui.save");
    const download = await saving;
    assert.equal(download.suggestedFilename(), "balance.json");
    const file = await readFile(await download.path(), "utf8");

    await choosePreset(page, "correct");
    assert.notDeepEqual(await shown(page), before);
    await openFile(page, file);
    await page.locator(".position", { hasText: before.position }).waitFor();
    assert.deepEqual(await shown(page), before);
  }),
);

for (const [what, content, line] of [
  ["is no JSON", '{"version": 1,', /not readable as JSON at line 1, column \d+/],
  ["is of a later version", '{"version": 9}', /version: version 9 of the format is not known/],
  [
    "has an impossible action",
    '{"version":1,"lab":"balance","actions":["deliver 1 a","fly"]}',
    /actions\[1\]: “fly” is not possible/,
  ],
  ["is empty", "", /not readable as JSON/],
]) {
  test(
    `a file that ${what} is refused by one line, and the run stays`,
    onPage(async (page) => {
      await choosePreset(page, "plain");
      await step(page, 3);
      const before = await shown(page);
      await openFile(page, content);
      await page.locator(".notice").waitFor();
      assert.match(await notice(page), line);
      assert.deepEqual(await shown(page), before);
    }),
  );
}

test(
  "a file that was mended can be opened at once",
  onPage(async (page) => {
    const file = { version: 1, lab: "balance", actions: ["fly"] };
    await openFile(page, JSON.stringify(file));
    await page.locator(".notice").waitFor();
    await openFile(page, JSON.stringify({ ...file, actions: ["deliver 1 a"] }));
    await page.locator(".position", { hasText: "1 / 1" }).waitFor();
    assert.equal(await page.locator(".notice").count(), 0);
  }),
);
