import type { ChatStore } from './chatStore.ts';
import { type InvestigationRow, pinsOf } from './investigationRows.ts';
import type { PinScope } from './parts.ts';

/** The commits of a conversation; a new one is stored. `said`: what the developer has said. */
export function pinScope(
  store: ChatStore,
  row: InvestigationRow,
  said: () => readonly string[],
): PinScope {
  const pins = pinsOf(row);
  let text: string | null = null;
  return {
    sessionId: row.id,
    pins,
    named(slug) {
      text ??= said().join('\n').toLowerCase();
      return text.includes(slug.toLowerCase());
    },
    onPinned(pin) {
      pins.push(pin);
      const set = { pins: JSON.stringify(pins), repo: pins[0]?.slug ?? pin.slug };
      return store.write([store.patch(row.id, set)]);
    },
  };
}
