"""Expands recurrence rules with dateutil, as an independent opinion on ours.

    python3 oracle.py write SEED COUNT    writes rules.tsv.gz: so many random rules with their results
    python3 oracle.py recompute           reads such lines, and prints them with the results of now

A line has the rule, DTSTART, the first and last time that are wanted, the number of occurrences and a digest of
them. DTSTART is an occurrence and counts, even if the rule does not match it.

dateutil differs from RFC 5545 in some points, where no rules are made: it wants plain and numbered weekdays both
(BYDAY=MO,1TU), it takes all days of a week of BYWEEKNO without BYDAY, it does not find the first week of a year by
a number from the end (-52, -53), and with WEEKLY and BYSETPOS it cuts off the first week at DTSTART.
"""

import gzip
import hashlib
import itertools
import random
import signal
import sys
from datetime import datetime, timedelta
from pathlib import Path

from dateutil.rrule import rrulestr

WEEKDAYS = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]
FREQUENCIES = ["YEARLY", "MONTHLY", "WEEKLY", "DAILY", "HOURLY", "MINUTELY", "SECONDLY"]
# Days from DTSTART to the window, at most, and days of the window.
DISTANCES = [4000, 2000, 800, 400, 30, 3, 1]
LENGTHS = [3000, 1500, 600, 250, 40, 4, 1]
FORM = "%Y%m%dT%H%M%S"


def some(rng, values, most):
    return sorted(rng.sample(list(values), rng.randint(1, most)), key=lambda _: rng.random())


def without_zero(most):
    return [n for n in range(-most, most + 1) if n != 0]


def by_parts(rng, frequency):
    """BY parts by name, each a list."""
    level = FREQUENCIES.index(frequency)
    parts = {}
    if rng.random() < 0.35:
        parts["BYMONTH"] = some(rng, range(1, 13), 4)
    if rng.random() < 0.3:
        parts["BYMONTHDAY"] = some(rng, without_zero(31), 5)
    if rng.random() < (0.15 if level != 1 else 0):
        parts["BYYEARDAY"] = some(rng, without_zero(366), 8)
    if rng.random() < 0.45:
        days = some(rng, WEEKDAYS, 4)
        if level < 2 and rng.random() < 0.6:
            most = 5 if level == 1 or "BYMONTH" in parts else 53
            days = [f"{rng.choice(without_zero(most))}{day}" for day in days]
        parts["BYDAY"] = days
    if level == 0 and rng.random() < 0.2:
        parts["BYWEEKNO"] = some(rng, [n for n in without_zero(53) if n > -52], 4)
        parts["BYDAY"] = some(rng, WEEKDAYS, 4)
    if rng.random() < 0.2:
        parts["BYHOUR"] = some(rng, range(24), 4)
    if rng.random() < 0.15:
        parts["BYMINUTE"] = some(rng, range(60), 4)
    if rng.random() < 0.1:
        parts["BYSECOND"] = some(rng, range(60), 3)
    if parts and rng.random() < 0.25:
        parts["BYSETPOS"] = some(rng, without_zero(rng.choice([1, 3, 12])), 2)
    return parts


def make_rule(rng):
    frequency = rng.choices(FREQUENCIES, [5, 6, 5, 4, 2, 1, 1])[0]
    level = FREQUENCIES.index(frequency)
    start = datetime(2015, 1, 1) + timedelta(seconds=rng.randrange(10 * 365 * 86400))
    if rng.random() < 0.5:
        start = start.replace(second=0)
    first = start + timedelta(days=rng.randrange(DISTANCES[level]))
    last = first + timedelta(days=LENGTHS[level])
    parts = by_parts(rng, frequency)
    text = [f"FREQ={frequency}"]
    if rng.random() < 0.5:
        text.append(f"INTERVAL={rng.choice([1, 2, 3, 4, 5, 7, 12, 25])}")
    first_weekday = rng.choice(WEEKDAYS) if rng.random() < 0.3 else "MO"
    if first_weekday != "MO":
        text.append(f"WKST={first_weekday}")
    if frequency == "WEEKLY" and "BYSETPOS" in parts:
        start -= timedelta(days=(start.weekday() - WEEKDAYS.index(first_weekday)) % 7)
    text += [f"{name}={','.join(map(str, values))}" for name, values in parts.items()]
    end = rng.random()
    count = rng.choice([1, 2, 5, 10, 40, 200]) if end < 0.2 else None
    if count:
        text.append(f"COUNT={count}")
    elif end < 0.4:
        until = first + timedelta(seconds=rng.randrange(LENGTHS[level] * 86400))
        text.append(f"UNTIL={until.strftime(FORM)}")
    return ";".join(text), count, start, first, last


def expand(text, count, start, first, last):
    """The occurrences in the window, with DTSTART as the first of all."""
    endless = ";".join(part for part in text.split(";") if not part.startswith("COUNT="))
    later = (at for at in rrulestr(endless, dtstart=start) if at > start)
    everything = itertools.chain([start], later)
    counted = itertools.islice(everything, count) if count else everything
    return [at for at in itertools.takewhile(lambda at: at <= last, counted) if at >= first]


def line_of(text, count, start, first, last):
    found = expand(text, count, start, first, last)
    listed = "\n".join(at.strftime(FORM) for at in found)
    digest = hashlib.sha256(listed.encode()).hexdigest()[:12]
    form = [at.strftime(FORM) for at in (start, first, last)]
    return "\t".join([text, *form, str(len(found)), digest])


def too_slow(*_):
    raise TimeoutError


def make_lines(seed, wanted):
    rng = random.Random(seed)
    signal.signal(signal.SIGVTALRM, too_slow)
    refused = {}
    lines = []
    while len(lines) < wanted:
        rule = make_rule(rng)
        try:
            # A rule without any occurrence is searched until the year 9999.
            signal.setitimer(signal.ITIMER_VIRTUAL, 0.02)
            lines.append(line_of(*rule))
        except (TimeoutError, ValueError) as error:
            refused[type(error).__name__] = refused.get(type(error).__name__, 0) + 1
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    print(f"not compared: {refused}", file=sys.stderr)
    return lines


def recompute(line):
    text, *form = line.split("\t")[:4]
    counts = [int(part[6:]) for part in text.split(";") if part.startswith("COUNT=")]
    times = [datetime.strptime(at, FORM) for at in form]
    return line_of(text, counts[0] if counts else None, *times)


if __name__ == "__main__":
    if sys.argv[1] == "write":
        output = "\n".join(make_lines(int(sys.argv[2]), int(sys.argv[3]))) + "\n"
        packed = gzip.compress(output.encode(), 9, mtime=0)
        Path(__file__).with_name("rules.tsv.gz").write_bytes(packed)
    else:
        for line in sys.stdin:
            print(recompute(line.rstrip("\n")))
