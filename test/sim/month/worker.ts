/** Lines of the log of each job, of about 100 characters. */
const LINES = 150;
/** What tools leave in the HOME of an agent, KiB. */
const CACHE_KIB = 100;
/** Of the artefact that each job posts, KiB. */
const ARTEFACT_KIB = 8;

/** In the description of a job whose agent leaves a commit that is not pushed, and a file. */
export const LEAVES_WORK = 'It leaves work behind.';

export const WORKFLOW_PATH = 'workflows/day.md';

/** A workflow whose agent writes a log, an artefact and a cache; the files of a layer by path. */
export const WORKER_FILES: Readonly<Record<string, string>> = {
  [WORKFLOW_PATH]: `---
initial_phase: work
initial_status: working
phases:
  - { name: work, agent: agents/worker.md, status: working }
---

A job of a day.
`,
  'agents/worker.md': `---
description: works
command: [sh, '{layer}/programs/worker.sh']
---

The worker.
`,
  'programs/worker.sh': `
n=0
while [ $n -lt ${LINES} ]; do
  echo "line $n of a build whose output no one reads again unless the job fails and someone asks why it did"
  n=$((n + 1))
done
head -c ${CACHE_KIB * 1024} /dev/urandom > "$HOME/packages"
head -c ${ARTEFACT_KIB * 768} /dev/urandom | base64 > "$TMPDIR/result"
cp "$TMPDIR/result" result.txt
svc tool post_artifact - > "$TMPDIR/reply" <<END
{"kind":"result","title":"Result","path":"result.txt"}
END
rm result.txt
if grep -q '${LEAVES_WORK}' "$SVC_SESSION_DIR/kickoff.md"; then
  git switch -q -c work
  echo change > change.txt
  git add change.txt
  git commit -q -m 'A change'
  echo more > more.txt
fi
`,
};
