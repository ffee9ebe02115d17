// The picture can be read: every label is whole, and nothing lies on it.

import { after, test } from "node:test";
import assert from "node:assert/strict";
import {
  LABS,
  about,
  chooseLab,
  choosePreset,
  close,
  onPage,
  position,
  presetsOf,
  seek,
} from "./harness.mjs";

after(close);

// Between the long arrows of a run there is sometimes no room for the name of an event.
const CUTS_MAX = 12;

/** What cannot be read of the rows that are drawn: row, fault, label. */
const unreadable = (page) =>
  page.evaluate(() => {
    const box = (shape) => {
      const { x, y, width, height } = shape.getBBox();
      // The line box is higher than the letters.
      return { left: x, right: x + width, top: y + 3, bottom: y + height - 3 };
    };
    const picture = document.querySelector(".space-time");
    const number = (shape) => shape.closest(".row").querySelector(".number").textContent;
    const texts = [...picture.querySelectorAll("text")].map((text) => ({
      text: text.textContent,
      row: number(text),
      ...box(text),
    }));
    const points = [...picture.querySelectorAll(".message, .ghost, .tie, .cross, .tip, .mark")].flatMap((path) => {
      const length = path.getTotalLength();
      const at = (place) => path.getPointAtLength(place);
      return Array.from({ length: Math.ceil(length / 3) + 1 }, (_, i) => at(Math.min(i * 3, length)));
    });
    const edge = picture.viewBox.baseVal.width;
    return texts.flatMap((one, i) => {
      const found = [];
      if (one.text.endsWith("…")) found.push("cut");
      if (one.right > edge) found.push("off the edge");
      const inside = ({ x, y }) => one.left < x && x < one.right && one.top < y && y < one.bottom;
      if (points.some(inside)) found.push("struck through");
      const lies = (two) =>
        one.left < two.right && two.left < one.right && one.top < two.bottom && two.top < one.bottom;
      const over = texts.slice(i + 1).find(lies);
      if (over) found.push(`on “${over.text}”`);
      return found.map((fault) => `${one.row}: ${fault}: ${one.text}`);
    });
  });

for (const [width, height] of [
  [1280, 720],
  [1920, 1080],
]) {
  for (const locale of ["en-US", "zh-CN"]) {
    for (const lab of LABS) {
      test(
        `every label of ${lab} can be read at ${width} × ${height} in ${locale}`,
        onPage({ viewport: { width, height }, locale }, async (page, context) => {
          await chooseLab(page, lab);
          const found = new Set();
          for (const preset of presetsOf(lab)) {
            await choosePreset(page, preset);
            const length = Number((await position(page)).split(" / ")[1]);
            // The diagram draws what is in sight, and follows the cursor.
            for (let at = 0; at < length + 8; at += 8) {
              await seek(page, Math.min(at, length));
              await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))));
              for (const one of await unreadable(page)) found.add(`${preset} ${one}`);
            }
          }
          const isCut = (one) => one.includes(": cut: ");
          assert.deepEqual(
            [...found].filter((one) => !isCut(one)),
            [],
          );
          const cuts = [...found].filter(isCut);
          for (const cut of cuts) context.diagnostic(cut);
          assert.ok(cuts.length <= CUTS_MAX, cuts.join("\n"));
        }),
      );
    }
  }
}

test(
  "the bar below says what is pointed at",
  onPage(async (page) => {
    const before = await about(page);
    const dot = page.locator(".space-time .item:has(.dot)").first();
    const sentence = await dot.locator("title").textContent();
    await dot.hover();
    assert.equal(await about(page), sentence);
    assert.notEqual(sentence, before);
    await page.mouse.move(1, 1);
    assert.notEqual(await about(page), sentence);
  }),
);
