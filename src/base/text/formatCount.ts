/** A number with its noun: `1 job`, `2 jobs`. `many`: where the plural is more than an s. */
export const formatCount = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`;
