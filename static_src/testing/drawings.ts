// Lists as data and as the server's templates draw them, made afresh for each run of the tests.

import { execFileSync } from "node:child_process";
import type { TestProject } from "vitest/node";
import type { ListView } from "../types/props.gen";

export interface Drawing {
  readonly language: string;
  readonly texts: Readonly<Record<string, string>>;
  readonly list: ListView;
  readonly html: string;
}

declare module "vitest" {
  interface ProvidedContext {
    drawings: Readonly<Record<"error" | "in-sight" | "middle" | "rows" | "several-values", Drawing>>;
  }
}

const PRINT_ALL = "import django; django.setup(); from console.lists.tests.list_drawings import print_all; print_all()";

export default function setup({ provide }: TestProject): void {
  const env = { ...process.env, DJANGO_SETTINGS_MODULE: "tests.support.settings" };
  provide("drawings", JSON.parse(execFileSync(".venv/bin/python", ["-c", PRINT_ALL], { env, encoding: "utf8" })));
}
