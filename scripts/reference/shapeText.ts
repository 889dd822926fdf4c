import type { Schema } from './schemaText.ts';

/** Levels of members that are shown; deeper objects are `{…}`. */
const LEVELS = 2;

/** A value in one line: `?` = may be left out, lists in brackets, alternatives with `|`. */
export function shapeText(schema: Schema, levels = LEVELS): string {
  if (schema.anyOf)
    return [...new Set(schema.anyOf.map((one) => shapeText(one, levels)))].join(' | ');
  if (schema.type === 'array') return schema.items ? `[${shapeText(schema.items, levels)}]` : '[]';
  if (schema.type !== 'object')
    return schema.type === 'null' ? 'null' : String(schema.type ?? 'any');
  if (schema.properties === undefined) return '{…}';
  if (levels === 0) return '{…}';
  const members = Object.entries(schema.properties).map(([name, member]) => {
    const inner = shapeText(member, levels - 1);
    const text = /[{[]/.test(inner) ? `${name}: ${inner}` : name;
    return schema.required?.includes(name) ? text : text.replace(name, `${name}?`);
  });
  return `{ ${members.join(', ')} }`;
}
