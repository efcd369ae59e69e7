// What mounting needs of react-dom. A separate module: the chunk of 57 KiB changes only when React does.

export { createRoot } from "react-dom/client";
