import { afterEach, expect, test, vi } from "vitest";
import { replacePost } from "./waiting";

afterEach(() => vi.restoreAllMocks());

test("only a form that is not to be sent again is replaced in the history, by the list", () => {
  const replaceState = vi.spyOn(history, "replaceState");
  document.body.innerHTML = "<a data-back></a><form></form>";
  replacePost();
  expect(replaceState).not.toHaveBeenCalled();
  document.body.innerHTML = `<form data-back="/user-manage/user?keyword=an"></form>`;
  replacePost();
  expect(replaceState).toHaveBeenCalledExactlyOnceWith(history.state, "", "/user-manage/user?keyword=an");
});
