import Type from 'typebox';
import { Check } from 'typebox/value';
import { parseJsonOrNull } from '../base/json/parseJsonOrNull.ts';

/** How much of the list a control plane has: it keeps the text for the runner, and reads none of it. */
const ListMark = Type.Object({
  /** The home whose jobs they are. */
  home: Type.String(),
  /** Jobs, in the order of creation, of which the first so many were sent; null = all of them. */
  next: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()]),
  /** What had changed until then was sent, epoch ms. */
  at: Type.Integer({ minimum: 0 }),
});
export type ListMark = Type.Static<typeof ListMark>;

export const formatListMark = (mark: ListMark): string => JSON.stringify(mark);

/** null = it is of another home, or of a version that marked in another way: everything is sent again. */
export function parseListMark(text: string, home: string): ListMark | null {
  const mark = parseJsonOrNull(text);
  return Check(ListMark, mark) && mark.home === home ? mark : null;
}
