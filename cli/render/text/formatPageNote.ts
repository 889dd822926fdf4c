/** How much of a list is shown, and how to get more; '' if all of it is shown. */
export function formatPageNote(
  noun: string,
  shownCount: number,
  offset: number,
  total: number,
): string {
  if (total <= shownCount) return '';
  const end = offset + shownCount;
  const more = end < total && shownCount > 0 ? `; more: --offset ${end}` : '';
  return `${shownCount} of ${total} ${noun}${more}\n`;
}
