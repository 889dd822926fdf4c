import { htmlToPlainText } from '../../base/text/htmlToPlainText.ts';
import { toFields, toListOrEmpty } from '../../base/json/untrusted.ts';

const MAX_ERRORS = 10;
const MAX_DEPTH = 6;
const MAX_VALUE_CHARS = 60;

export interface ErrorText {
  /** A field of the request, or a kind of thing; empty where nothing is named. */
  field: string;
  text: string;
}

/** GitHub's codes for what is wrong with a field, where the word alone is not enough. */
const CODES: Readonly<Record<string, string>> = {
  missing: 'missing (it does not exist)',
  missing_field: 'missing (it is required)',
  unprocessable: 'unprocessable (the values do not fit)',
};
const NAMES = ['field', 'property', 'attribute', 'pointer', 'param', 'name'];
const WORDS = ['userPresentableMessage', 'message', 'detail', 'description', 'title', 'reason'];
/** Members that hold errors of single fields, or further errors. */
const INNER = ['errors', 'validationErrors', 'constraints', 'children', 'fields', 'details'];

const pickFirstText = (of: Readonly<Record<string, unknown>>, names: readonly string[]): string => {
  for (const name of names) {
    const value = of[name];
    if (typeof value === 'string' && value.trim() !== '') return value;
  }
  return '';
};

const formatErrorValue = (value: unknown): string => {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  return text === '' || text.length > MAX_VALUE_CHARS ? '' : ` (${JSON.stringify(text)})`;
};

/** The errors of an object about one thing; null = its members are names of fields. */
function readStructuredErrors(
  of: Readonly<Record<string, unknown>>,
  field: string,
  depth: number,
): ErrorText[] | null {
  const code = typeof of.code === 'string' ? of.code : '';
  const words = pickFirstText(of, WORDS);
  const isInner = INNER.some((name) => typeof of[name] === 'object' && of[name] !== null);
  if (code === '' && words === '' && !isInner) return null;
  const path = Array.isArray(of.path) ? of.path.join('.') : '';
  const index = typeof of.index === 'number' ? `[${of.index}]` : '';
  const fieldName =
    pickFirstText(of, NAMES) ||
    field ||
    path ||
    (words === '' ? pickFirstText(of, ['resource']) : '');
  const inner = INNER.flatMap((name) => {
    // Names of constraints are those of a library.
    const errors = name === 'constraints' ? Object.values(toFields(of[name])) : of[name];
    return readErrorTexts(errors, fieldName, depth - 1);
  });
  if (inner.length > 0) return words === '' ? inner : [{ field: '', text: words }, ...inner];
  const text = words || `${CODES[code] ?? code.replace(/_/g, ' ')}${formatErrorValue(of.value)}`;
  return text === '' ? [] : [{ field: `${fieldName}${index}`, text }];
}

/**
 * Reads the errors of an answer, whatever their shape: texts, lists, texts by field, and objects
 * with a field, a code or a message. Untrusted; empty where it has no text.
 */
export function readErrorTexts(value: unknown, field = '', depth = MAX_DEPTH): ErrorText[] {
  if (typeof value === 'string') {
    const text = htmlToPlainText(value);
    return text === '' ? [] : [{ field, text }];
  }
  if (depth === 0 || typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value))
    return toListOrEmpty(value)
      .flatMap((one) => readErrorTexts(one, field, depth - 1))
      .slice(0, MAX_ERRORS);
  const of = toFields(value);
  const errorTexts = readStructuredErrors(of, field, depth);
  if (errorTexts)
    return errorTexts
      .map((one) => ({ ...one, text: htmlToPlainText(one.text) }))
      .slice(0, MAX_ERRORS);
  return Object.entries(of)
    .flatMap(([name, inner]) => readErrorTexts(inner, name === 'base' ? field : name, depth - 1))
    .slice(0, MAX_ERRORS);
}

const isFieldNamed = (text: string, field: string): boolean =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}_.[\]-]+/u)
    .some((word) => word.replace(/\.+$/, '') === field.toLowerCase());

const formatErrorText = ({ field, text }: ErrorText): string =>
  field === '' || isFieldNamed(text, field) ? text : `${field}: ${text}`;

export function joinErrorTexts(
  errors: readonly ErrorText[],
  show: (one: ErrorText) => string = formatErrorText,
): string {
  const all = [...new Set(errors.map(show))];
  return all.length === 1 ? (all[0] ?? '') : all.map((one) => one.replace(/\.$/, '')).join('; ');
}

const MEMBERS = [
  'message',
  'errorMessages',
  'error',
  'error_description',
  'errors',
  'validationErrors',
  'title',
  'detail',
  'reason',
];

/**
 * The text of a refusal on one line, from any of the usual members or a plain body; empty where it
 * has none.
 */
export function describeRefusal(body: unknown, show?: (one: ErrorText) => string): string {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    return joinErrorTexts(readErrorTexts(body), show);
  const of = toFields(body);
  const [general = '', ...others] = MEMBERS.map((name) =>
    joinErrorTexts(readErrorTexts(of[name]), show),
  )
    .filter((text) => text !== '')
    .filter((text, n, all) => all.indexOf(text) === n);
  const details = others.filter((text) => !general.includes(text)).join('; ');
  return details === '' ? general : `${general.replace(/[.:]$/, '')}: ${details}`;
}
