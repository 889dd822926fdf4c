/** Moves the focus to the first button, link or field of an element that can take it. */
export function focusIn(element: HTMLElement | undefined): void {
  element?.querySelector<HTMLElement>('button:enabled, a[href], textarea:enabled')?.focus();
}
