export function focusIn(element: HTMLElement | undefined): void {
  element?.querySelector<HTMLElement>('button:enabled, a[href], textarea:enabled')?.focus();
}
