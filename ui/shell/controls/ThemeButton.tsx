import { useDashboard } from '../dashboard.ts';
import { Icon, type IconName } from './Icon.tsx';
import type { ThemeChoice } from '../shellStore.ts';
import { useStore } from '../useStore.ts';

const NEXT = { system: 'light', light: 'dark', dark: 'system' } as const satisfies Record<
  ThemeChoice,
  ThemeChoice
>;
const ICONS = { system: 'auto', light: 'sun', dark: 'moon' } as const satisfies Record<
  ThemeChoice,
  IconName
>;

/** Changes to the next theme; `withName` says which one it is. */
export function ThemeButton(props: { withName?: boolean }) {
  const { shell } = useDashboard();
  const theme = useStore(shell, (context) => context.theme);
  return (
    <button
      type="button"
      class={props.withName ? undefined : 'quiet icon-only'}
      aria-label={`Theme: ${theme()}. Change to ${NEXT[theme()]}`}
      title={`Theme: ${theme()}`}
      onClick={() => shell.trigger.themed({ theme: NEXT[theme()] })}
    >
      <Icon name={ICONS[theme()]} />
      {props.withName ? ` Theme: ${theme()}` : ''}
    </button>
  );
}
