// The page for people who do not see it, or not well: axe's rules, the text of the diagram, and
// what is announced.

import { after, test } from "node:test";
import assert from "node:assert/strict";
import {
  WORDS,
  axe,
  cell,
  choosePreset,
  close,
  headline,
  mapReady,
  onPage,
  openTab,
  press,
  reason,
  step,
  steps,
} from "./harness.mjs";

after(close);

const CRASHED = "#v=1&lab=balance&receipts=memory&run=deliver+1+a.step+a*7.crash+a";
const BROKEN = "#v=1&lab=balance&run=jump";
const LONG = "#v=1&lab=balance&handler=write.reply&run=" + Array(20).fill("deliver+1+a.step+a*2").join(".");

/** What a person may have before them: a link, and what is done after it was opened. */
const SCENES = {
  "the start": {},
  "the middle of a run": { act: (page) => step(page, 9) },
  "a duplicate's harm": {
    act: async (page) => (await choosePreset(page, "plain"), press(page, "ui.key.last")),
  },
  "a loss": { act: async (page) => (await choosePreset(page, "reply_first"), press(page, "ui.key.last")) },
  "a crash": { hash: CRASHED },
  "an open menu": {
    act: async (page) => {
      await page.click(".group.fault:nth-of-type(4) .trigger");
      await page.getByRole("menu").waitFor();
    },
  },
  "the help sheet": { act: (page) => page.keyboard.press("?") },
  "the choices of the design, explained": {
    act: async (page) => {
      await openTab(page, "choices");
      await page.locator("summary").first().click();
    },
  },
  "a refused field": {
    act: async (page) => {
      await openTab(page, "rows");
      await cell(page, 0, 1).fill("12.5");
      await page.locator(".field-problem").first().waitFor();
    },
  },
  "the text view": { act: async (page) => (await step(page, 3), press(page, "ui.as_text")) },
  "a failure window that is looked at": {
    act: async (page) => {
      await choosePreset(page, "plain");
      await mapReady(page);
      await page.keyboard.press("v");
      await page.locator(".gap-ring").waitFor();
    },
  },
  "a fix": {
    act: async (page) => {
      await choosePreset(page, "plain");
      await mapReady(page);
      await page.keyboard.press("h");
      await page.locator(".fix.found").waitFor();
    },
  },
  "a notice": { hash: BROKEN, act: (page) => page.locator(".notice").waitFor() },
};

for (const [width, height] of [
  [1280, 720],
  [390, 844],
]) {
  for (const locale of ["en-US", "zh-CN"]) {
    for (const [scene, { hash, act }] of Object.entries(SCENES)) {
      const options = { viewport: { width, height }, locale, hash };
      test(
        `axe finds nothing in ${scene}, ${width} × ${height}, ${locale}`,
        onPage(options, async (page) => {
          await act?.(page);
          for (const colorScheme of ["light", "dark"]) {
            await page.emulateMedia({ colorScheme });
            assert.deepEqual(await axe(page), [], colorScheme);
          }
        }),
      );
    }
  }
}

test(
  "each step is announced with its verdict and the reason",
  onPage(async (page) => {
    await choosePreset(page, "plain");
    await step(page, 2);
    const said = await page.locator("[role=status]").textContent();
    for (const part of ["2. ", "write the balance", await headline(page), await reason(page)]) {
      assert.ok(said.includes(part), `“${part}” in “${said}”`);
    }
  }),
);

test(
  "the text view says what the diagram draws",
  onPage(async (page) => {
    await choosePreset(page, "plain");
    await press(page, "ui.as_text");
    assert.equal(await page.locator(".space-time").count(), 0);
    assert.deepEqual(await steps(page), [
      "send a: +100 → Process A — a: +100",
      "write the balance · Process A — balance 100",
      `lose the reply · Process A — done: 100 — ${WORDS.en["ui.no_return"]}`,
      "send again a: +100 → Process A — a: +100",
      "write the balance · Process A — balance 200",
      "reply · Process A — done: 200",
    ]);
    await press(page, "ui.as_text");
    assert.equal(await page.locator(".space-time").count(), 1);
  }),
);

test(
  "the text view of a long run shows the step that was taken",
  onPage({ hash: LONG }, async (page) => {
    await press(page, "ui.as_text");
    const taken = page.locator(".steps .now");
    for (const key of ["End", "Home", "ArrowRight", "End"]) {
      await page.keyboard.press(key);
      if (key === "Home") continue;
      assert.equal(await inSight(taken), true, `after ${key}`);
    }
  }),
);

/** Whether an element comes into the part of the diagram that is seen, within a few frames. */
const inSight = (locator) =>
  locator.evaluate(async (element) => {
    const pane = document.querySelector(".scroller").getBoundingClientRect();
    for (let frame = 0; frame < 10; frame++) {
      await new Promise(requestAnimationFrame);
      const { top, bottom } = element.getBoundingClientRect();
      if (top >= pane.top - 1 && bottom <= pane.bottom + 1) return true;
    }
    return false;
  });

test(
  "the page has its landmarks, one heading of the first order, and a name for each control",
  onPage(async (page) => {
    for (const role of ["banner", "main", "navigation", "contentinfo"]) {
      assert.equal(await page.getByRole(role).count(), 1, role);
    }
    assert.equal(await page.getByRole("heading", { level: 1 }).count(), 1);
    for (const tab of ["steps", "choices", "rows"]) {
      await openTab(page, tab);
      const unnamed = await page.evaluate(() =>
        [...document.querySelectorAll("button, select, input")]
          .filter((one) => one.checkVisibility())
          .filter((one) => !(one.ariaLabel || one.textContent.trim() || one.labels?.length))
          .map((one) => one.outerHTML),
      );
      assert.deepEqual(unnamed, []);
    }
  }),
);

test(
  "with reduced motion nothing moves by itself",
  onPage({ reducedMotion: "reduce" }, async (page) => {
    await step(page, 3);
    assert.equal(await page.evaluate(() => document.getAnimations().length), 0);
  }),
);
