// What mounting needs of react-dom. Like query.ts a module of its own: the chunk of 57 KiB changes only when React does.

export { createRoot } from "react-dom/client";
