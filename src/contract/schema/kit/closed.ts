/** Options of an object schema: members that it does not name are refused. */
export const closed = { additionalProperties: false } as const;
