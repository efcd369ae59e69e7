import { expect, test } from "vitest";
import { omitEmptyFields } from "./clean-query";

omitEmptyFields();

test.each([
  ["get", ["keyword"]],
  ["post", ["keyword", "country"]],
])("a form with the method %s sends %s", (method, names) => {
  document.body.innerHTML = `<form method="${method}"><input name="keyword" value="anna"><input name="country" value=""></form>`;
  const form = document.querySelector("form") as HTMLFormElement;
  const formData = new FormData(form);
  form.dispatchEvent(Object.assign(new Event("formdata", { bubbles: true }), { formData }));
  expect([...formData.keys()]).toEqual(names);
});
