/** A schedule pauses itself: a fact, in the commit of the step, settled by the step that leaves the pause. */
export const SCHEDULE_PAUSE_MIGRATION = `
  CREATE TRIGGER notification_schedule_paused AFTER UPDATE OF label ON actors
    WHEN NEW.chart = 'schedule' AND NEW.label = 'paused' AND OLD.label <> 'paused' BEGIN
    INSERT INTO notification_facts (id, kind, reason, job_id, at, text)
      VALUES (NEW.id || '/paused/' || NEW.since, 'broken', 'schedule-paused', NULL, NEW.since,
        substr(NEW.id, length('schedule.') + 1))
      ON CONFLICT (id) DO NOTHING;
  END;
  -- '0' is the character after '/'
  CREATE TRIGGER notification_schedule_continued AFTER UPDATE OF label ON actors
    WHEN OLD.chart = 'schedule' AND OLD.label = 'paused' AND NEW.label <> 'paused' BEGIN
    UPDATE notification_shown SET settled = 1
      WHERE fact >= OLD.id || '/paused/' AND fact < OLD.id || '/paused0' AND settled = 0;
  END;
  `;
