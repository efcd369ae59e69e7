import { expect, test } from "vitest";
import { findProblem } from "./keyword";

test.each([
  "kim@clinic.example",
  "kim＠clinic．example",
  "kim@clinic。example",
  "\u202akim@bücher.example\u202c",
  "김@병원.한국",
])("%s is a whole address in any script, so it is searched for [VA-21]", (keyword) => {
  expect(findProblem("email", keyword)).toBeNull();
});

test.each(["kim", "kim@", "kim@clinic", "kim＠clinic", "kim@clinic.e", "@clinic.example"])(
  "%s is not [VA-21]",
  (keyword) => {
    expect(findProblem("email", keyword)?.error).toBe("Invalid email");
    expect(findProblem("name", keyword)).toBeNull();
  },
);
