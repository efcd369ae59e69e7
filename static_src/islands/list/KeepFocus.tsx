import { Component, type ReactNode } from "react";
import { keepFocus, showFromItsStart } from "./focus";

interface KeepFocusProps {
  readonly section: HTMLElement;
  /** Another value with each drawing of the rows. */
  readonly drawing: unknown;
  /** The link that was followed to these rows: they get its focus. */
  readonly link?: Element | null;
  readonly children: ReactNode;
}

/** Keeps the focus and the scroll position while rows are exchanged. Only a class can look at the page before React changes it. */
export class KeepFocus extends Component<KeepFocusProps> {
  override getSnapshotBeforeUpdate(before: KeepFocusProps): (() => void) | null {
    const { section, drawing, link } = this.props;
    if (drawing === before.drawing) return null;
    const isAtLink = link && [link, document.body].includes(document.activeElement ?? document.body);
    return isAtLink ? () => showFromItsStart(section) : keepFocus(section);
  }

  override componentDidUpdate(_props: KeepFocusProps, _state: unknown, restore: (() => void) | null): void {
    restore?.();
  }

  override render(): ReactNode {
    return this.props.children;
  }
}
