// A part of the page that fails to render says so in place; the rest keeps working.

import { Component, type ReactNode } from "react";
import { gettext } from "../lib/i18n";
import { Failed } from "./Failed";

export class ErrorBoundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children;
    return (
      <Failed
        text={gettext("This part of the page stopped working.")}
        onRetry={() => this.setState({ failed: false })}
      />
    );
  }
}
