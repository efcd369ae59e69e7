// Sending the form to sign up without an agreement would lose the password, so the missing one is reported before.

export function checkAgreements(): void {
  const form = document.querySelector(".agreements")?.closest("form");
  // Before any other listener of the form.
  document.addEventListener(
    "submit",
    (event) => {
      const isCheck = event.submitter?.getAttribute("name") === "check"; // of a name's availability
      const missing = form?.querySelector<HTMLInputElement>(".agreements input[required]:not(:checked)");
      const hasPassword = form?.querySelector<HTMLInputElement>("[name=password]")?.value;
      if (event.target !== form || isCheck || !missing || !hasPassword) return;
      event.preventDefault();
      event.stopPropagation();
      missing.reportValidity();
    },
    { capture: true },
  );
}
