// The page in windows of other sizes than a screen in full: small laptops, enlarged text, a phone.

import { after, test } from "node:test";
import assert from "node:assert/strict";
import {
  LABS,
  axe,
  choose,
  chooseLab,
  choosePreset,
  close,
  headline,
  mapReady,
  onPage,
  position,
  press,
  step,
  truth,
  words,
} from "./harness.mjs";

after(close);

const LOCALES = ["en-US", "zh-CN"];

/** How far the page is wider than its window, and what stands out of the window on the right. */
const tooWide = (page) =>
  page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.scrollingElement;
    const out = [...document.querySelectorAll(".head *, .transport *, .state > *, .faults *, .window-bar button")]
      .filter((one) => one.checkVisibility() && one.getBoundingClientRect().right > innerWidth + 0.5)
      .map((one) => one.className || one.tagName);
    return { right: scrollWidth - clientWidth, out };
  });

for (const locale of LOCALES) {
  for (const [width, height] of [
    [1001, 700],
    [1024, 768],
    [1100, 700],
    [1180, 720],
  ]) {
    test(
      `no lab is wider than ${width} px in ${locale}`,
      onPage({ viewport: { width, height }, locale }, async (page) => {
        for (const lab of LABS) {
          await chooseLab(page, lab);
          assert.deepEqual(await tooWide(page), { right: 0, out: [] }, lab);
          await press(page, "ui.key.last");
          assert.deepEqual(await tooWide(page), { right: 0, out: [] }, `${lab}, in the end`);
        }
        // A branch brings its select.
        await chooseLab(page, "balance");
        await step(page, 2);
        await choose(page, "crash");
        assert.ok(await page.locator(".branches").isVisible());
        assert.deepEqual(await tooWide(page), { right: 0, out: [] }, "with a branch");
      }),
    );
  }

  for (const [width, height] of [
    [640, 360],
    [853, 480],
    [390, 844],
  ]) {
    const narrow = { viewport: { width, height }, locale };

    test(
      `the outcome and the current step are on screen at ${width} × ${height} in ${locale}`,
      onPage(narrow, async (page) => {
        await choosePreset(page, "plain");
        const outcome = page.locator(".outcome");
        for (let at = 1; at <= 6; at++) {
          await step(page);
          const said = await outcome.innerText();
          assert.ok(said.includes(await truth(page)), said);
          assert.ok(said.includes(await headline(page)), said);
          const box = await outcome.boundingBox();
          assert.ok(box.y >= 0 && box.y + box.height <= height, `after step ${at}`);
          await page.waitForFunction(() => {
            const row = document.querySelector(".row.now .row-back").getBoundingClientRect();
            const end = document.querySelector(".transport").getBoundingClientRect().top;
            return row.top >= -0.5 && row.bottom <= end + 0.5;
          });
        }
        assert.deepEqual(await tooWide(page), { right: 0, out: [] });
        assert.deepEqual(await axe(page), []);
      }),
    );

    test(
      `the outcome leads to the whole state, which steps leave in sight at ${width} × ${height} in ${locale}`,
      onPage(narrow, async (page) => {
        await page.click(".outcome");
        const place = () => page.locator(".state .figure").first().boundingBox();
        await page.waitForFunction(() => {
          const { top } = document.querySelector(".state").getBoundingClientRect();
          return top >= -1 && top < innerHeight / 2;
        });
        const before = await place();
        await step(page, 2);
        if (before.y > 0 && (await page.locator(".scroller").boundingBox()).y < -height) {
          assert.deepEqual(await place(), before);
        }
      }),
    );
  }
}

test(
  "the text form has neither the map nor what is said of it",
  onPage(async (page) => {
    const bar = page.locator(".window-bar");
    assert.ok(await bar.isVisible());
    await press(page, "ui.as_text");
    assert.equal(await bar.isVisible(), false);
    assert.equal(await page.locator(".window-heads").isVisible(), false);
    await press(page, "ui.as_text");
    assert.ok(await bar.isVisible());
  }),
);

for (const locale of LOCALES) {
  test(
    `+ and - change the size of the text, and the page still fits in ${locale}`,
    onPage({ locale }, async (page) => {
      const size = () => page.evaluate(() => parseFloat(getComputedStyle(document.body).fontSize));
      const design = page.locator("#design");
      const normal = await size();
      for (const [times, shown] of [
        [1.25, "125"],
        [1.5, "150"],
        [1.5, "150"],
      ]) {
        await page.keyboard.press("+");
        assert.ok(Math.abs((await size()) - normal * times) < 0.1, shown);
        assert.equal(await design.isVisible(), false, "the design makes room");
        assert.ok(await page.locator(".verdict h2").isVisible());
        for (const lab of LABS) {
          await chooseLab(page, lab);
          await press(page, "ui.key.last");
          await page.locator(".transport .step").focus();
          assert.deepEqual(await tooWide(page), { right: 0, out: [] }, `${lab} at ${shown}`);
        }
        const { bottom, end } = await page.evaluate(() => ({
          bottom: document.querySelector(".state .verdict").getBoundingClientRect().bottom,
          end: document.querySelector(".transport").getBoundingClientRect().top,
        }));
        assert.ok(bottom <= end, "the verdict is in sight");
      }
      await press(page, "ui.design");
      assert.ok(await design.isVisible());
      assert.deepEqual(await tooWide(page), { right: 0, out: [] }, "with the design");
      assert.deepEqual(await axe(page), []);

      // It is kept, like the theme.
      await page.reload();
      await page.locator(".transport .step").waitFor();
      assert.ok(Math.abs((await size()) - normal * 1.5) < 0.1);
      for (let i = 0; i < 3; i++) await page.keyboard.press("-");
      assert.ok(Math.abs((await size()) - normal) < 0.1);
      assert.ok(await design.isVisible());
      page.trouble.late = [];
    }),
  );
}

const phone = { viewport: { width: 390, height: 844 } };

test(
  "on a phone the map has the worst of each gap in one column, and puts that",
  onPage(phone, async (page) => {
    await choosePreset(page, "plain");
    await mapReady(page);
    const cells = page.locator(".windows [role=gridcell]");
    const rows = page.locator(".windows [role=row]");
    assert.ok((await cells.count()) > 2);
    assert.equal(await cells.count(), await rows.count());
    const { width, height } = await cells.first().boundingBox();
    assert.ok(Math.min(width, height) >= 24, `${width} × ${height}`);
    // The keyboard moves among the same cells.
    await page.focus(".windows");
    await page.keyboard.press("ArrowDown");
    const active = await page.getAttribute(".windows", "aria-activedescendant");
    assert.equal(await page.locator(`#${active}`).count(), 1);
    const name = await page.locator(`#${active}`).getAttribute("aria-label");
    assert.ok((await page.innerText(".window-bar .about")).includes(name));
    const harms = await page.locator(".windows .window").evaluateAll((all) => all.map((one) => one.className));
    const folded = harms.filter((harm) => !harm.includes("clean")).length;

    const before = await position(page);
    await page.locator(".windows .window:not(.clean)").first().click();
    assert.notEqual(await position(page), before);

    // In a wider window the same gaps have harm.
    await page.setViewportSize({ width: 1280, height: 720 });
    await choosePreset(page, "plain");
    await mapReady(page);
    await page.locator(".windows:not(.folded)").waitFor();
    const wide = await page
      .locator(".windows [role=row]")
      .evaluateAll((all) => all.filter((row) => row.querySelector(".window:not(.clean)")).length);
    assert.equal(folded, wide);
  }),
);

test(
  "printed, the page is the design, the whole diagram, the verdict and the link",
  onPage({ colorScheme: "dark" }, async (page) => {
    await chooseLab(page, "payment");
    await press(page, "ui.key.last");
    const steps = Number((await position(page)).split(" / ")[1]);
    assert.equal(await page.locator(".paper").isVisible(), false);
    await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
    await page.emulateMedia({ media: "print" });
    const numbers = await page.locator(".paper .number").allTextContents();
    const all = [...Array(steps).keys()].map((i) => i + 1);
    assert.deepEqual([...new Set(numbers.map(Number))].sort((a, b) => a - b), all);
    const said = await page.innerText(".paper");
    assert.ok(said.includes((await words(page))["lab.payment"]));
    assert.ok(said.includes(await page.locator(".state .verdict h2").textContent()));
    const link = await page.innerText(".paper .address");
    assert.ok(link.startsWith("http") && link.includes("#v=1&lab=payment"), link);
    assert.equal(await page.locator(".transport").isVisible(), false);
    assert.deepEqual(await axe(page), []);
    await page.evaluate(() => dispatchEvent(new Event("afterprint")));
    await page.emulateMedia({ media: "screen" });
    assert.equal(await page.locator(".paper").isVisible(), false);
    assert.equal(await page.locator(".paper *").count(), 0);
    await page.locator(".row.now").first().waitFor();
  }),
);

for (const colorScheme of ["light", "dark"]) {
  test(
    `before the program has started the page has its title and a sketch, ${colorScheme}`,
    onPage({ colorScheme }, async (page) => {
      assert.equal(await page.locator("#first").count(), 0, "it is gone when the page stands");
      assert.equal(await page.locator("h1").count(), 1);
      const title = await page.locator("h1").boundingBox();
      const early = await page.context().newPage();
      await early.route("**/*.wasm", () => {});
      await early.goto(page.url(), { waitUntil: "commit" });
      await early.locator("#first svg").waitFor();
      assert.deepEqual(await early.locator("h1").boundingBox(), title, "the title stays where it is");
      const { width, height } = await early.locator("#first svg").boundingBox();
      assert.ok(width > 300 && height > 150);
      assert.deepEqual(await axe(early), []);
      await early.close();
    }),
  );
}
