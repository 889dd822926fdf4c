import { remember, readRemembered } from './remember.ts';
import type { ShellStart, ShellStore, ThemeChoice } from './shellStore.ts';

const isTheme = (text: string | null): text is ThemeChoice =>
  text === 'light' || text === 'dark' || text === 'system';

/** What the person chose in this browser before. */
export function readShellStart(): ShellStart {
  const theme = readRemembered('theme');
  return {
    theme: isTheme(theme) ? theme : 'system',
    notify: readRemembered('notify') === 'yes',
    singleKeys: readRemembered('singleKeys') !== 'no',
  };
}

/** Shows the chosen theme and remembers every choice. */
export function keepShell(shell: ShellStore): void {
  const apply = (context: ShellStart) => {
    document.documentElement.dataset['theme'] = context.theme;
    remember('theme', context.theme);
    remember('notify', context.notify ? 'yes' : null);
    remember('singleKeys', context.singleKeys ? null : 'no');
  };
  apply(shell.getSnapshot().context);
  shell.subscribe(({ context }) => apply(context));
}
