import type { FakeAnswer } from '../fakeForge/server.ts';

export const createFailedAnswer = (
  message: string,
  code: string,
  type: string,
  presentable: string,
  status = 400,
): FakeAnswer => ({
  status,
  body: {
    errors: [
      { message, extensions: { type, code, userError: true, userPresentableMessage: presentable } },
    ],
  },
});
export const missing = (what: string): FakeAnswer =>
  createFailedAnswer(
    `Entity not found: ${what}`,
    'INPUT_ERROR',
    'invalid input',
    `Could not find referenced ${what}.`,
  );

/** Partial where a field is broken: null, which needs a field that may be null, and an error. */
export function partial(data: unknown, broken: ReadonlyMap<string, string>): FakeAnswer {
  const errors: { message: string; path: (string | number)[]; extensions: object }[] = [];
  const look = (value: unknown, path: readonly (string | number)[]): unknown => {
    if (value === null || typeof value !== 'object') return value;
    if (Array.isArray(value)) return value.map((one, n) => look(one, [...path, n]));
    const entries = Object.entries(value).map(([name, inner]) => {
      const message = broken.get(name);
      if (message === undefined) return [name, look(inner, [...path, name])];
      errors.push({ message, path: [...path, name], extensions: { code: 'FORBIDDEN' } });
      return [name, null];
    });
    return Object.fromEntries(entries);
  };
  const partialData = look(data, []);
  // Fields of the root are never null: an error in one takes the whole answer with it.
  const isComplete = errors.every(({ path }) => path.length > 1);
  const body = { data: isComplete ? partialData : null };
  return { status: 200, body: errors.length === 0 ? body : { ...body, errors } };
}
