/**
 * Keeps the function's results for as long as the object lives that each is about. Only for pure
 * functions of objects that are never changed in place.
 */
export function memoizeByObject<Asked extends object, Answer>(
  answer: (asked: Asked) => Answer,
): (asked: Asked) => Answer {
  const known = new WeakMap<Asked, { answer: Answer }>();
  return (asked) => {
    let kept = known.get(asked);
    if (kept === undefined) {
      kept = { answer: answer(asked) };
      known.set(asked, kept);
    }
    return kept.answer;
  };
}
