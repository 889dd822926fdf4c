/**
 * For people, below a part of a list: how much of it is shown, and how to get more; '' where it is
 * all of it.
 */
export function formatPageNote(noun: string, shown: number, offset: number, total: number): string {
  if (total <= shown) return '';
  const end = offset + shown;
  const more = end < total && shown > 0 ? `; more: --offset ${end}` : '';
  return `${shown} of ${total} ${noun}${more}\n`;
}
