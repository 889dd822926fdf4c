/**
 * The function with its answers kept, each for as long as the object lives that it was asked about.
 * Only for pure functions of objects that are never changed in place.
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
