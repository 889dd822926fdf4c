/** Readers for what an agent sends: it may be anything. */
export type Fields = Readonly<Record<string, unknown>>;

export const fields = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};

export const text = (value: unknown): string => (typeof value === 'string' ? value : '');

export const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** A number of tokens. */
export const count = (value: unknown): number => (typeof value === 'number' && value > 0 ? Math.round(value) : 0);
