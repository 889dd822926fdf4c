import { createSignal, Show } from 'solid-js';
import { MAX_FINDINGS_CHARS } from '../../../src/base/limits/intakeLimits.ts';
import type { FindingsCard } from '../../../src/contract/schema/planning/intake.ts';
import { EditorBox } from '../../authoring/EditorBox.tsx';
import { ComparedLines } from '../../inbox/ComparedLines.tsx';
import { pickChangedParts, compareLines } from '../../inbox/compareLines.ts';
import { useDashboard } from '../../shell/dashboard.ts';
import type { Draft } from '../../shell/drafts/drafts.ts';
import { Icon } from '../../shell/controls/Icon.tsx';
import { usePlan } from '../planContext.ts';

interface FindingsEditorProps {
  /** As they are stored now; null = none. */
  stored: FindingsCard | null;
  draft: Draft;
  close: () => void;
}

/** A person's version of the findings. What is typed survives a reload. */
export function FindingsEditor(props: FindingsEditorProps) {
  const { client } = useDashboard();
  const { conversation, act } = usePlan();
  /** The version that the edit began with, or that the person has seen since. */
  const [base, setBase] = createSignal(props.stored);
  const [saving, setSaving] = createSignal(false);
  const changedMeanwhile = () => (props.stored?.sha256 ?? null) !== (base()?.sha256 ?? null);
  const parts = () => {
    const lines = compareLines(base()?.text ?? '', props.stored?.text ?? '');
    return lines && pickChangedParts(lines);
  };
  const text = () => props.draft.text();
  const tooLong = () => text().length > MAX_FINDINGS_CHARS;
  const save = async () => {
    if (saving() || tooLong() || changedMeanwhile() || text().trim() === '') return;
    setSaving(true);
    const replaces = base()?.sha256 ?? null;
    const wasTaken = await act('Findings saved. The model sees your version.', () =>
      client.saveInvestigation(conversation.sessionId, { findings: { text: text(), replaces } }),
    );
    setSaving(false);
    if (wasTaken) props.close();
  };
  return (
    <div class="findings-editor stack">
      <EditorBox
        path="the findings"
        text={text()}
        findings={[]}
        readOnly={false}
        onChange={(next) => props.draft.write(next)}
        save={() => void save()}
        agents={[]}
        onReady={(goTo) => goTo({ line: 1, column: 1 })}
      />
      <Show when={changedMeanwhile()}>
        <div class="notice stack" role="alert">
          <p>
            <strong>The findings have changed since you started editing.</strong> Your text is kept.
            Changes:
          </p>
          <ComparedLines parts={parts()} />
          <button type="button" class="self-start" onClick={() => setBase(props.stored)}>
            Overwrite with my text
          </button>
        </div>
      </Show>
      <Show when={tooLong()}>
        <p class="notice-line">
          <Icon name="warn" /> Longer than {MAX_FINDINGS_CHARS.toLocaleString('en')} characters.
        </p>
      </Show>
      <div class="row">
        <button
          type="button"
          class="primary"
          title="Ctrl+S"
          disabled={saving() || tooLong() || changedMeanwhile() || text().trim() === ''}
          onClick={() => void save()}
        >
          Save
        </button>
        <button type="button" onClick={() => props.close()}>
          Discard
        </button>
      </div>
    </div>
  );
}
