/** How much of a list is shown, and how to get more; '' if all of it is shown. */
export function formatPageNote(noun: string, shown: number, offset: number, total: number): string {
  if (total <= shown) return '';
  const end = offset + shown;
  const more = end < total && shown > 0 ? `; more: --offset ${end}` : '';
  return `${shown} of ${total} ${noun}${more}\n`;
}
