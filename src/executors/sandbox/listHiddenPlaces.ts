/** What a person keeps in the home folder that is no business of an agent's; relative to it. */
const OF_A_PERSON: readonly string[] = [
  // Keys and logins
  '.ssh',
  '.gnupg',
  '.aws',
  '.azure',
  '.kube',
  '.docker',
  '.config/gh',
  '.config/glab-cli',
  '.config/gcloud',
  '.config/op',
  '.config/rclone',
  '.config/git/credentials',
  '.git-credentials',
  '.netrc',
  '.npmrc',
  '.pypirc',
  '.cargo/credentials.toml',
  '.m2/settings.xml',
  '.gem/credentials',
  '.terraform.d/credentials.tfrc.json',
  '.vault-token',
  '.password-store',
  '.local/share/keyrings',
  '.claude.json',
  '.claude/.credentials.json',
  '.codex/auth.json',
  '.gemini/oauth_creds.json',
  '.local/share/opencode/auth.json',
  'Library/Keychains',
  // What was typed
  '.bash_history',
  '.zsh_history',
  '.node_repl_history',
  '.psql_history',
  // Browsers
  '.mozilla',
  '.config/google-chrome',
  '.config/chromium',
  '.config/BraveSoftware',
  '.config/microsoft-edge',
  'Library/Application Support/Google',
  'Library/Application Support/Firefox',
  'Library/Application Support/BraveSoftware',
  'Library/Application Support/Microsoft Edge',
  'Library/Cookies',
  'Library/Safari',
];

/** Sockets by which programs of the machine are commanded; to use one is to be root. */
const OF_THE_MACHINE: readonly string[] = [
  '/run/docker.sock',
  '/run/docker',
  '/run/containerd',
  '/run/podman',
  '/run/crio',
  '/run/dbus',
  '/run/libvirt',
  '/run/lxd.socket',
  '/run/snapd.socket',
  '/run/systemd/private',
  '/run/user',
  '/var/lib/docker',
  '/var/run/docker.sock',
];

/** Every place that is hidden from agents wherever it exists; `personHome` is the person's home. */
export const listHiddenPlaces = (personHome: string): string[] => [
  ...OF_A_PERSON.map((place) => `${personHome}/${place}`),
  ...OF_THE_MACHINE,
];
