/**
 * Verbs that a function's name may begin with, in the imperative. Words that are nouns more often
 * than verbs here (`line`, `name`, `state`) are left out.
 */
const VERBS = `
abort accept acknowledge acquire activate adapt add adjust admit advance advise align allocate
allow amend analyse announce append apply approve archive arm arrange ask assemble assert assign
assume attach await begin bind block boot borrow bound bracket break brief bring broadcast browse
build bundle calculate call cancel canonicalise cap capitalise capture carry catch change charge
check choose chunk cite claim clamp classify clean clear click clip clone close coalesce collapse
collect colour combine commit compact compare compile complete compose compress compute
concatenate configure confine confirm connect consume contain continue convert copy correct count
cover crash create cut debounce decide declare decode decrypt deduplicate defer define delay
delete deliver deny derive describe deserialise destroy detach detect diff disable discard
disconnect discover dispatch display dispose distinguish distribute divide do download drain draw
drive drop dump edit embed emit enable encode encrypt enforce enqueue ensure enter enumerate erase
escape estimate evaluate examine exceed exchange exclude execute expand expect expire explain
export expose extend extract fail fall fetch fill filter finalise find finish fit fix flatten
flush focus fold follow forbid force forget format forward free freeze fulfil gather generate get
give go grant greet guard guess handle hash help hide highlight hold identify ignore import
include increment indent infer inherit initialise inject insert inspect install interpolate
interpret interrupt intersect introduce invalidate invoke isolate iterate join judge jump keep
kill know launch lay lead learn leave let lex lift limit link lint list listen load locate lock
log loosen make map mark mask match materialise may measure meet merge migrate mirror mock monitor
mount move multiply narrow navigate need negotiate nest normalise notify observe obtain offer omit
open overlap overwrite pack pad paint parse partition pass pause peek perform persist pick pin
ping play poll pop populate predict prefer prefix prepare prepend preserve press prevent preview
print probe process produce propose protect prove provide prune publish pull purge push put
quarantine quote raise rank reach read rebase rebuild recall receive recognise reconcile reconnect
recover redact redirect reduce refill refine refresh refund refuse register reject relate relay
release reload relocate remember remind remove rename render reopen repair repeat replace replay
require rerun rescue reserve reset resolve respond restart restore restrict restyle resume retain
retire retrieve retry return reuse reveal revert revive revoke rewind rewrite rise roll rotate
round route run sanitise satisfy save scaffold scan schedule screen scroll seal search seed seek
select send separate serialise serve set settle share shift shorten show shrink shut sign simulate
skip sleep slice snapshot snooze sort spawn spend splice split spread start stay steer stop store
stream strike stringify strip submit subscribe substitute subtract succeed suggest sum summarise
supersede supply suspend swap switch sync take tear tell terminate throw tick tidy tighten toggle
touch trace track transfer transform transition translate transport traverse treat trim truncate
trust try undo unescape unfold uninstall unlink unlock unmount unpack unpin unquote unregister
unskip unsubscribe unwrap update upgrade upload use validate verify visit wait wake walk warn
watch weigh widen withdraw wrap write yield
`;

/** What begins the name of a predicate, or of a function that converts its argument. */
const QUESTIONS =
  'are can could did do does has have is may must needs should was were will would to';

const known = new Set(`${VERBS} ${QUESTIONS}`.split(/\s+/).filter(Boolean));

/** Whether a name begins with a verb (`readText`), a question (`isOpen`) or a conversion (`toText`). */
export const beginsWithVerb = (name: string): boolean =>
  known.has(name.match(/^[a-z]+/)?.[0] ?? '');
