// One screen, in which nothing is cut off and nothing jumps; and a phone.

import { after, test } from "node:test";
import assert from "node:assert/strict";
import {
  LABS,
  chooseLab,
  choosePreset,
  close,
  onPage,
  openTab,
  position,
  presetsOf,
  press,
  seek,
  step,
  words,
} from "./harness.mjs";

after(close);

const PRESETS = presetsOf("balance");
const TARGET_PX_MIN = 24;

/** How far the page is larger than its window. */
const overflow = (page) =>
  page.evaluate(() => {
    const { scrollWidth, scrollHeight, clientWidth, clientHeight } = document.scrollingElement;
    return { right: scrollWidth - clientWidth, below: scrollHeight - clientHeight };
  });

/** Texts that are cut off at their upper or lower edge, where nothing scrolls to the rest. */
const cutOff = (page) =>
  page.evaluate(() => {
    const cut = [];
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walk.nextNode(); node; node = walk.nextNode()) {
      const range = document.createRange();
      range.selectNodeContents(node);
      const box = range.getBoundingClientRect();
      if (!node.data.trim() || box.height === 0 || node.parentElement.closest(".sr-only, option")) continue;
      // A line box is a little higher than its letters: these may lose some of it.
      const slack = box.height * 0.2;
      for (let up = node.parentElement; up; up = up.parentElement) {
        const { overflowY } = getComputedStyle(up);
        if (overflowY === "auto" || overflowY === "scroll") break;
        if (overflowY === "visible" && up !== document.body) continue;
        const edge = up.getBoundingClientRect();
        if (box.top < edge.top - slack || box.bottom > edge.bottom + slack) cut.push(node.data.trim());
      }
    }
    return cut;
  });

/** Names of lanes that run into each other. */
const overlapping = (page) =>
  page.evaluate(() => {
    const box = (name) => {
      const range = document.createRange();
      range.selectNodeContents(name);
      return { text: name.textContent, ...range.getBoundingClientRect().toJSON() };
    };
    const boxes = [...document.querySelectorAll(".lane-name b, .lane-name strong, .lane-name")].map(box);
    const shown = boxes.filter(({ width }) => width > 0).sort((a, b) => a.left - b.left);
    return shown.filter(({ left }, at) => at > 0 && left < shown[at - 1].right - 1).map(({ text }) => text);
  });

for (const [width, height] of [
  [1280, 720],
  [1920, 1080],
]) {
  for (const locale of ["en-US", "zh-CN"]) {
    const options = { viewport: { width, height }, locale };
    for (const lab of LABS) {
      test(
        `every design of ${lab} fits into ${width} × ${height} in ${locale}, without scrolling the page`,
        onPage(options, async (page) => {
          await chooseLab(page, lab);
          for (const preset of presetsOf(lab)) {
            await choosePreset(page, preset);
            const length = Number((await position(page)).split(" / ")[1]);
            for (const at of [0, Math.floor(length / 2), length]) {
              await seek(page, at);
              assert.deepEqual(await overflow(page), { right: 0, below: 0 }, `${preset} at ${at}`);
              assert.deepEqual(await cutOff(page), [], `${preset} at ${at}`);
            }
            assert.deepEqual(await overlapping(page), [], preset);
          }
        }),
      );
    }

    test(
      `every pane of the design fits into ${width} × ${height} in ${locale}`,
      onPage(options, async (page) => {
        for (const tab of ["steps", "choices", "rows"]) {
          await openTab(page, tab);
          assert.deepEqual(await overflow(page), { right: 0, below: 0 }, tab);
          assert.deepEqual(await cutOff(page), [], tab);
          const pane = await page
            .locator(".design")
            .evaluate((pane) => pane.scrollHeight - pane.clientHeight);
          assert.equal(pane, 0, `the whole pane scrolls on ${tab}`);
        }
        await page.keyboard.press("?");
        assert.deepEqual(await cutOff(page), []);
        assert.ok(
          await page.locator("dialog").evaluate((sheet) => sheet.scrollHeight <= sheet.clientHeight + 1),
          "the sheet scrolls",
        );
      }),
    );

    test(
      `truth, belief, the verdict and what is durable are in sight at ${width} × ${height} in ${locale}`,
      onPage(options, async (page) => {
        for (const preset of PRESETS) {
          await choosePreset(page, preset);
          await press(page, "ui.key.last");
          const below = await page.locator(".state").evaluate((pane) => {
            const ends = [...pane.querySelectorAll(".figure, .verdict, .table.durable")].map(
              (one) => one.getBoundingClientRect().bottom,
            );
            return Math.max(...ends) - pane.getBoundingClientRect().bottom;
          });
          assert.ok(below <= 0, `${preset} has ${below} px of it out of sight`);
        }
      }),
    );
  }
}

for (const locale of ["en-US", "zh-CN"]) {
  for (const preset of ["correct", "plain", "check_then_act"]) {
    test(
      `nothing jumps through the run of ${preset} in ${locale}`,
      onPage({ locale }, async (page) => {
        await choosePreset(page, preset);
        const boxes = () =>
          page.evaluate(() => {
            const places = [
              ".figure:nth-of-type(1)",
              ".figure:nth-of-type(2)",
              ".verdict",
              ".fix",
              ".state .table",
              ".laws",
              ".settings",
              ".diagram",
              ".lane-name",
              ".window-heads",
              ".window-bar",
              ".faults",
              ".transport .step",
              ".slider",
              ".step-choice",
              ".more",
            ];
            const box = (place) => {
              const { x, y, width, height } = document.querySelector(place).getBoundingClientRect();
              return [place, [x, y, width, height].map(Math.round).join(" ")];
            };
            return Object.fromEntries(places.map(box));
          });
        const first = await boxes();
        const length = Number((await position(page)).split(" / ")[1]);
        for (let at = 1; at <= length; at++) {
          await step(page);
          assert.deepEqual(await boxes(), first, `after step ${at}`);
        }
      }),
    );
  }

  const phone = { viewport: { width: 390, height: 844 }, locale };

  test(
    `no design is wider than a phone in ${locale}`,
    onPage(phone, async (page) => {
      for (const preset of PRESETS) {
        await choosePreset(page, preset);
        await press(page, "ui.key.last");
        assert.equal((await overflow(page)).right, 0, preset);
        assert.deepEqual(await cutOff(page), [], preset);
      }
      for (const tab of ["steps", "choices", "rows"]) {
        await openTab(page, tab);
        assert.equal((await overflow(page)).right, 0, tab);
      }
    }),
  );

  test(
    `every control is large enough for a finger in ${locale}`,
    onPage(phone, async (page) => {
      for (const tab of ["steps", "choices", "rows"]) {
        await openTab(page, tab);
        const small = await page.evaluate(
          (min) =>
            [...document.querySelectorAll("button, select, summary, input:not(.sr-only)")]
              .filter((one) => one.checkVisibility() && !one.closest("dialog:not([open])"))
              .map((one) => [one.ariaLabel || one.textContent || one.className, one.getBoundingClientRect()])
              .filter(([, { width, height }]) => Math.min(width, height) < min)
              .map(([name, { width, height }]) => `${name}: ${width.toFixed(1)} × ${height.toFixed(1)}`),
          TARGET_PX_MIN,
        );
        assert.deepEqual(small, [], tab);
      }
    }),
  );

  test(
    `on a phone the transport is at hand wherever the page is scrolled to in ${locale}`,
    onPage(phone, async (page) => {
      for (const to of [0, 300, 10_000]) {
        await page.evaluate((to) => scrollTo(0, to), to);
        const { y, height } = await page.locator(".transport").boundingBox();
        assert.ok(y >= 0 && y + height <= 844.5);
        await page.click(".transport button.step");
      }
      assert.equal(await position(page), "3 / 15");
    }),
  );
}

test(
  "the figures can be read from the back row on a projector",
  onPage({ viewport: { width: 1920, height: 1080 } }, async (page) => {
    const size = (selector) =>
      page
        .locator(selector)
        .first()
        .evaluate((one) => parseFloat(getComputedStyle(one).fontSize));
    assert.ok((await size("body")) >= 20);
    assert.ok((await size(".figure .value")) >= 30);
  }),
);

test(
  "the diagram scrolls sideways by itself where it is too narrow for its lanes",
  onPage({ viewport: { width: 390, height: 844 } }, async (page) => {
    await step(page, 3);
    const pane = await page.locator(".scroller").evaluate((pane) => pane.scrollWidth >= pane.clientWidth);
    assert.ok(pane);
    const name = (await words(page))["balance.lane.store"];
    assert.equal(await page.locator(".lane-heads").getByText(name).count(), 1);
  }),
);
