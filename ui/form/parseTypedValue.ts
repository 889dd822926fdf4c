import type { FormField } from './formSchema.ts';

/** What a typed text stands for (undefined = the key is left out), or what is wrong with it. */
export type ParsedField = { value: unknown } | { wrong: string };

function parseTypedNumber(text: string, { schema, required }: FormField): ParsedField {
  if (text.trim() === '')
    return required && schema.default === undefined
      ? { wrong: 'Enter a number.' }
      : { value: undefined };
  const value = Number(text);
  if (!Number.isFinite(value)) return { wrong: 'This must be a number.' };
  if (schema.type === 'integer' && !Number.isSafeInteger(value))
    return { wrong: 'This must be a whole number.' };
  if (schema.minimum !== undefined && value < schema.minimum)
    return { wrong: `This must be at least ${schema.minimum}.` };
  if (schema.exclusiveMinimum !== undefined && value <= schema.exclusiveMinimum)
    return { wrong: `This must be more than ${schema.exclusiveMinimum}.` };
  if (schema.maximum !== undefined && value > schema.maximum)
    return { wrong: `This must be at most ${schema.maximum}.` };
  if (schema.exclusiveMaximum !== undefined && value >= schema.exclusiveMaximum)
    return { wrong: `This must be less than ${schema.exclusiveMaximum}.` };
  return { value };
}

function parseTypedText(text: string, { schema, required }: FormField): ParsedField {
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern } = schema;
  if (text === '' && (minLength > 0 || schema.default === undefined))
    return required && schema.default === undefined
      ? { wrong: 'Enter text.' }
      : { value: undefined };
  if (text.length < minLength) return { wrong: `This needs at least ${minLength} characters.` };
  if (text.length > maxLength) return { wrong: `This may have at most ${maxLength} characters.` };
  if (pattern !== undefined && !new RegExp(pattern, 'u').test(text))
    return { wrong: `This must match ${pattern}.` };
  return { value: text };
}

function parseTypedTexts(text: string, { schema }: FormField): ParsedField {
  const { maxItems = Number.POSITIVE_INFINITY } = schema;
  const lines = text.split('\n').map((line) => line.trim());
  const value = lines.filter((line) => line !== '');
  if (value.length > maxItems) return { wrong: `At most ${maxItems} lines are allowed.` };
  return value.length === 0 && schema.default === undefined ? { value: undefined } : { value };
}

function parseTypedJson(text: string): ParsedField {
  if (text.trim() === '') return { value: undefined };
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return { wrong: 'This must be valid JSON.' };
  }
}

export function parseTypedValue(text: string, field: FormField): ParsedField {
  if (field.kind === 'number') return parseTypedNumber(text, field);
  if (field.kind === 'texts') return parseTypedTexts(text, field);
  if (field.kind === 'json') return parseTypedJson(text);
  if (field.kind === 'yes-no') return { value: text === 'true' };
  return parseTypedText(text, field);
}

/** A value as its field shows it; nothing where it is not set and has no default. */
export function formatFieldValue(value: unknown, { kind, schema }: FormField): string {
  const heldValue = value ?? schema.default;
  if (heldValue === undefined || heldValue === null) return '';
  if (kind === 'texts' && Array.isArray(heldValue)) return heldValue.join('\n');
  if (kind === 'json') return JSON.stringify(heldValue, null, 2);
  return typeof heldValue === 'string' ? heldValue : JSON.stringify(heldValue);
}
