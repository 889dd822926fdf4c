import { createEffect, createMemo, createSignal, on } from 'solid-js';
import type { Client } from '../../src/api/client/client.ts';
import { MAX_CITATION_REFS } from '../../src/base/limits/intakeLimits.ts';
import type { Citation } from '../../src/contract/schema/planning/evidence.ts';
import { findCitations, findMarkedPlaces } from './answer/findCitations.ts';
import type { ConversationView } from './conversation.ts';

/** Verdicts by citation text: findings are checked with each turn, answers on request. */
export function createCitationVerdicts(
  client: Pick<Client, 'checkCitations'>,
  conversation: ConversationView,
): () => ReadonlyMap<string, Citation> {
  const { shown, isRunning, sessionId } = conversation;
  const [checkedCitations, setCheckedCitations] = createSignal<readonly Citation[]>([]);
  const commit = createMemo(() => shown.investigation?.pinned?.commit ?? null);
  createEffect(on(commit, () => setCheckedCitations([]), { defer: true }));
  const knownCitations = createMemo(
    () =>
      new Map(
        [...checkedCitations(), ...(shown.investigation?.citations ?? [])].map((one) => [
          one.ref,
          one,
        ]),
      ),
  );
  const citedRefs = createMemo(() => {
    if (isRunning() || commit() === null) return [];
    const texts = shown.turns.flatMap(({ parts }) =>
      parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])),
    );
    const refs = texts.flatMap((text) => [
      ...findCitations(text).map(({ ref }) => ref),
      ...findMarkedPlaces(text),
    ]);
    return [...new Set(refs)];
  });
  createEffect(
    on(citedRefs, async (refs) => {
      const unknown = refs.filter((ref) => !knownCitations().has(ref)).slice(0, MAX_CITATION_REFS);
      if (unknown.length === 0) return;
      // Without an answer they stay unchecked, which is what they say of themselves.
      const reply = await client.checkCitations(sessionId, { refs: unknown }).catch(() => null);
      if (reply) setCheckedCitations((before) => [...before, ...reply.citations]);
    }),
  );
  return knownCitations;
}
