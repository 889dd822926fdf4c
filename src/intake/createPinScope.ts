import type { ChatStore } from './chatStore.ts';
import { type InvestigationRow, readPins } from './investigationRows.ts';
import { mentionsRepository } from './mentionsRepository.ts';
import type { PinScope } from './intakeParts.ts';
import type { Pin } from './tools/pins.ts';

/** The commits of a conversation; new ones are stored. `said`: the developer's messages. */
export function createPinScope(
  store: ChatStore,
  row: InvestigationRow,
  said: () => readonly string[],
): PinScope {
  const pins = readPins(row);
  const added: Pin[] = [];
  let text: string | null = null;
  return {
    sessionId: row.id,
    pins,
    named(slug) {
      text ??= said().join('\n');
      return mentionsRepository(text, slug);
    },
    onPinned(pin) {
      pins.push(pin);
      added.push(pin);
      // A person may have pinned the newest commits since the turn began.
      const stored = readPins(store.row(row.id));
      const isStored = ({ slug }: Pin) => stored.some((one) => one.slug === slug);
      const all = [...stored, ...added.filter((one) => !isStored(one))];
      const set = { pins: JSON.stringify(all), repo: all[0]?.slug ?? pin.slug };
      return store.write([store.patch(row.id, set)]);
    },
  };
}
