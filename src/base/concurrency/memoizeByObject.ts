/**
 * Keeps the function's results for as long as the object lives that each is about. Only for pure
 * functions of objects that are never changed in place.
 */
export function memoizeByObject<Asked extends object, Answer>(
  answer: (key: Asked) => Answer,
): (key: Asked) => Answer {
  const answers = new WeakMap<Asked, { answer: Answer }>();
  return (key) => {
    let entry = answers.get(key);
    if (entry === undefined) {
      entry = { answer: answer(key) };
      answers.set(key, entry);
    }
    return entry.answer;
  };
}
