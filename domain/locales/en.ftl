# Everything Convive says in English.
#
# <b> and <i> are the only markup; texts (SMS) lose it. Where texts need other words, the message stands a second
# time with -sms after its id. Texts must fit one segment of 160 characters wherever names allow, and never ask
# for STOP, CANCEL, END, QUIT, YES, START, HELP or INFO: carriers take those words.

language-name = English
chrono-locale = en_GB
moment-format = %a %-d %b %Y, %H:%M
deadline-format = %a %-d %b, %H:%M
date-format = %a %-d %b
full-date-format = %a %-d %b %Y
moment = { $when }, { $city ->
        [UTC] UTC
       *[other] { $city } time
    }
end-of-day = { $when }, end of day, { $city ->
        [UTC] UTC
       *[other] { $city } time
    }
list-and = { $first } and { $last }

# What typed words mean: alternatives between commas.

# Yes to a question about people; then what only agrees to something read back.
words-yes = yes, y, ye, yea, yeah, yep, yup, sure, sure thing, for sure, of course, absolutely, definitely, certainly, gladly, with pleasure, count us in, we are in, were in, ya, yess, i think so, we think so, think so, 👍, ✅, 👌, ✔, ☑
words-agreed = ok, okay, okey, k, correct, right, all right, alright, thats right, that is right, thats correct, that is correct, all correct, im sure, i am sure, were sure, we are sure, quite sure, very sure, im quite sure, looks right, looks good, all good, good, fine, perfect, great, exactly, confirm, confirmed, i confirm, we confirm, save, save it, save this, save that, done
words-no = no, n, nope, nop, nah, no way, definitely not, of course not, absolutely not, certainly not, surely not, for sure not, sure not, not this time, no thanks, no thank you, wrong, not right, not correct, thats wrong, that is wrong, thats not right, that is not right, 👎, ❌
words-all = all, everyone, everybody, every one, whole family, the lot, all of us, we all
words-none = none, nobody, no one, noone, none of us, not one, not a single one, not any of us, zero people, neither, neither of us
words-some = some, some of us, a few, a few of us, not all, not all of us, not everyone, not everybody, most, most of us, several, several of us
words-only = only, just, nobody but, no one but, noone but, none but, nobody except, no one except, noone except, none except
words-only-me = only me, just me, me only, me alone, only myself, just myself, alone, on my own, by myself, solo
words-me = i, im, i am, ive, id, me, myself
words-i-come = ill be there, ill come, ill be coming, ill join, ill attend, ill make it, count me in, im in, i am in
words-come = come, comes, coming, attend, attends, attending, join, joins, joining, make it, makes it, making it, be there, can, will, going, accept, accepts, accepting
# Of these, the ones that may speak of something else than coming.
words-come-weak = can, will, going, accept, accepts, accepting
words-not = not, cant, cannot, can not, wont, will not, dont, do not, doesnt, does not, isnt, arent, aint, couldnt, unable, unfortunately not, i dont think, i do not think, dont think, never
words-away = out, away, sick, ill, unwell, missing, miss, misses, skip, skips, skipping, stay home, stays home, staying home, stay at home, stays at home, staying at home, decline, declines, declined, regrets, absent, abroad, busy, travelling, traveling, working
words-unsure = dont know, do not know, doesnt know, does not know, dont know yet, doesnt know yet, dont know if, dont know whether, not sure, not sure yet, not sure if, not sure whether, isnt sure, is not sure, unsure, undecided, not yet, maybe, perhaps, possibly, probably, might, may, unclear, open, dunno, no idea, no idea yet, will see, well see, depends, cant say, cant say yet, need to check, have to check, let me check, will check, will tell you later, will let you know, later, tbd, tbc
words-except = except, except for, apart from, besides, other than, all but, everyone but, everybody but, excluding, without, minus
words-but = but, however, though, although
words-companion = companion, plus one, plus 1
words-companions = companions, plus ones
words-relative = kid, child, baby, son, daughter, little one
words-relatives = kids, children, babies, sons, daughters, little ones
words-spouse = partner, date, husband, wife, spouse, hubby, girlfriend, boyfriend, fiance, fiancee, fiancé, fiancée, other half, better half
words-my = my, our
words-pronoun = he, she, him, her, hes, shes, they, them, theyre
words-of = of, of the, out of, out of the
words-joiner = and, plus, with, at, from, by, as well as
# Single words that say nothing but kindness, at the ends of a text.
words-polite = please, pls, guys, folks, plz, thanks, thank, thx, ty, cheers, hi, hello, hey, sorry, ok, okay, well, so, actually, x, xx
words-thanks = thanks, thank you, thank you so much, thank you very much, many thanks, thx, ty, cheers, see you, see you there, see you then, see you soon, bye, goodbye, looking forward, looking forward to it, cant wait, lovely, wonderful, cool, nice, brilliant, super, love, x, xx, xxx
# Turning to people: "all" after one of these, or after thanks, says to whom, not how many come.
words-hail = hi, hello, hey, dear, hallo, good morning, good afternoon, good evening, good day, sorry, so sorry, im sorry, i am sorry, were sorry, we are sorry
words-hail-to = to, you, there
# What a question begins with that lacks its mark: a verb, and whom it is about.
words-ask-verb = can, could, are, is, am, do, does, did, will, would, may, shall, should, have, has
words-ask-subject = we, i, you, u, that, this, they, he, she, it, everyone, everybody, all, anyone, anybody, someone, somebody, the, my, our, there
words-of-dates = at, on, the, of, by, until, till
words-filler = we, were, weve, wed, well, us, be, is, are, am, the, a, an, as, it, its, please, pls, plz, you, people, persons, person, ppl, guys, folks, guests, guest, pax, total, in total, altogether, together, that, this, here, there, so, unfortunately, sadly, afraid, im afraid, i am afraid, think, i think, we think, i guess, i believe, yet, for, to, party, family, group, adult, adults, do, does, able, able to, going to, would, would love to, love to, would like to, like to, happy to, glad to, delighted to, still, now, actually, have, seats, places, after all, any more, anymore, any longer, in the end
words-numbers = zero/nil/nought, one, two/both/couple, three, four, five, six, seven, eight, nine, ten, eleven, twelve, thirteen, fourteen, fifteen, sixteen, seventeen, eighteen, nineteen, twenty

# Whole texts that answer one particular question.
words-no-diet = no, none, none for me, nothing for me, nothing, nope, nah, nil, n a, na, no needs, no dietary needs, no special needs, no diet, no allergies, no allergy, no restrictions, no dietary restrictions, nothing special, no thanks, no thank you, not really, not that i know of, eats everything, eat everything, i eat everything, we eat everything, all fine, fine, 👎, ❌
# What denies needs, word by word: needs and their kinds; none and not; having; being fine; whom it is about; what says
# nothing. Never a word that names food or a diet.
words-need = need, needs, needed, requirement, requirements, restriction, restrictions, allergy, allergies, allergic, allergens, intolerance, intolerances, intolerant, diet, diets, preference, preferences, request, requests, wishes, issues
words-need-kind = dietary, special, food, particular, specific
words-need-none = no, none, nope, nop, nah, nothing, nothing special, nothing in particular, nil, zero, nobody, no one, noone, none of us, not one, not a single one, not any, neither, neither of us, without
words-need-not = not, dont, do not, doesnt, does not, havent, have not, hasnt, has not, isnt, is not, arent, are not, am not, aint
words-need-has = have, has, got, had, any, anything
words-need-fine = fine, good, ok, okay, great, all set, easy, eat everything, eats everything, eat anything, eats anything, can eat everything, can eat anything, no worries, no problem
words-need-subject = i, im, ive, we, were, weve, it, its, thats, everything, everythings
words-need-everybody = all, both, everyone, everybody, all of us, both of us, each of us, every one of us
words-need-filler = for, from, of, to, at all, at present, a, an, is, are, am, be, there, here, the, that, so far, really, me, my, us, our, side, end, any of us, either of us, anyone, anybody, that i know of, that we know of, i know of, we know of, as far as i know, as far as we know, to declare, to report, to mention, to note, necessary, required, just, myself, ourselves, too, also, then, and, or
words-need-of-all = we, were, weve, us, our, nobody, no one, noone, none of us, neither, neither of us, any of us, all of us, each of us, everyone, everybody, anyone, anybody, both, for all
words-no-diet-of-any = none of us, nobody, no one, noone, none for all, none for any, none for any of us, none for all of us, none for everyone, none for everybody, nothing for any of us, none at all
words-keep = keep, keep it, leave it, leave it as it is, leave as is, dont change, dont change it, do not change, do not change it, keep it as it is, keep as is, same, same as before, as before, as it is, unchanged, no change
words-themselves = themselves, they answer, they answer themselves, they will answer, they will answer themselves, theyll answer themselves, they will, ask them, leave open, leave it open, they decide, later
words-greeting = hi, hello, hey, hallo, hi there, hello there, hey there, good morning, good afternoon, good evening, good day
words-never-mind = never mind, nevermind, nothing, forget it, no, no thanks, nope, back, go back

# Any time. The words before a semicolon are the ones that the menu teaches; they count even where any text would do.
words-status = status, mine; my status, my answer, my answers, answer, answers, whats my status, rsvp
words-details = details; detail, when, where, when is it, where is it, what time, address, place, dress code, dresscode, schedule, program, programme, deadline
words-help = help, menu; info, commands, what can you do, hilfe
words-change = change; i want to change, i need to change, i would like to change, id like to change, want to change, we want to change, we need to change, change it, change of plan, change of plans, change of mind, start again, start over, start anew, begin again, restart, cancel, cancel it, cancel this, cancel that, changed my mind, i changed my mind, i have changed my mind, ive changed my mind, edit, redo, update, change answer, change my answer, change rsvp, change my rsvp, change something, again, modify
words-decline = decline; i have to cancel, we have to cancel, have to cancel, i need to cancel, we need to cancel, i must cancel, we must cancel, cancel my rsvp, cancel our rsvp, i have to decline, we have to decline, cant come any more, cannot come any more, we cannot come anymore, we cannot come any more, we cant come any more, i cannot come anymore, i cannot come any more, i cant come any more, cant come anymore, cannot come anymore, cant make it anymore, we cant come anymore, i cant come anymore, we cant make it anymore, i cant make it anymore
words-switch = switch; other, switch guest, switch invitation, other invitation, invitations
words-language = language; lang, languages, sprache, language settings
words-logout = logout, log out; sign out, signout, log off
words-mute = mute, stop, unsubscribe; stop please, please stop, no reminders, dont remind me, stop reminders
words-unmute = unmute; start, remind me, reminders on
words-message = message; host, contact, contact host, message host, ask host, ask the host, leave a message, question
words-wrong-person = wrong person, wrong number; not me, thats not me, that is not me, i am not this person, im not this person
# The same as a sentence: what may stand around it, what it says, and what it says before a name.
words-wrong-person-around = i think, i believe, i guess, i fear, im afraid, i am afraid, afraid, unfortunately, you have, youve, you have got, youve got, you got, you texted, youre texting, you are texting, you reached, you have reached, youve reached, this is, its, it is, that is, thats, the, a, mate, pal, buddy, dude, man, bro, there, im, i am
words-wrong-person-meant = wrong person, wrong number, wrong phone, wrong phone number, wrong guy, wrong one, wrong contact, wrong recipient, somebody else, someone else, not this person
words-not-i = im not, i am not, this is not, this isnt, its not, it is not, it isnt, that is not, thats not, my name is not, my name isnt, i aint, you are not texting, not the phone of, not the number of, this is not the number of, this is not the phone of

# SMS keywords beyond the carriers' own single words.
words-stop-meant = stop, stopall, optout, stop it, stop this, stop texting, stop texting me, stop texting us, stop messaging, stop messaging me, stop messaging us, stop writing, stop writing me, stop writing to me, stop contacting me, stop contacting us, stop bothering me, stop spamming me, stop spamming, stop texts, stop messages, stop sms, stop the texts, stop the messages, stop these texts, stop these messages, stop your texts, stop your messages, stop sending texts, stop sending messages, stop sending sms, stop sending me texts, stop sending me messages, stop sending me sms, stop sending me these, stop sending these, stop sending me these texts, stop sending me these messages, stop sending these texts, stop sending these messages, unsubscribe, unsubscribe me, unsubscribe us, opt out, opt me out, remove me, remove my number, delete my number, take me off, take me off the list, take me off your list, no texts, no messages, no more texts, no more messages, no more sms, no more of these texts, no more of these messages, leave me alone, dont text me, do not text me, dont message me, do not message me, dont contact me, do not contact me, dont write to me, do not write to me
# What may stand around it, besides politeness.
words-stop-around = now, right now, immediately, at once, asap, today, already, again, ever again, any more, anymore, any longer, from now on, all, guys, just, kindly, thank you, i want to, i would like to, id like to, i want you to, we want to, we would like to, id rather, i wish to, can you, could you, would you, will you, from your list, from the list, from this list, from this, of this, of these, of these texts
words-start-meant = start please, please start, start again, opt in, opt me in, subscribe, subscribe me, resume

# Short descriptions of the commands in Telegram's menu.

command-status = What you have answered
command-details = When, where and until when
command-change = Change your answer
command-decline = Say that you cannot come
command-switch = Answer for another invitation
command-language = Choose the language
command-message = Leave a message for the host
command-mute = No reminders, please
command-logout = Leave this invitation
command-help = What I understand

# Coming in.

hello = Hello! I take the answers to your invitation. Please send your code and your last name in one message, like this: <b>AB3DE7FG Miller</b>. Type the last name as it stands on the invitation.
hello-sms = Hello! To answer your invitation, text your code and last name together, e.g. AB3DE7FG Miller. Spell the name as on the invitation.
ask-last-name = Thank you. And your last name, as it stands on the invitation?
last-name-please = Please reply with the last name as it stands on the invitation; then you can answer.
last-name-please-sms = To answer, please reply first with the last name on the invitation.
wrong-credentials = I cannot find an invitation with that code and last name. Please send both in one message, like this: <b>AB3DE7FG Miller</b>. Type the last name as it stands on the invitation, all parts of it.
wrong-credentials-sms = No invitation has that code and last name. Text both together, e.g. AB3DE7FG Miller. Type the whole last name as on the invitation.
# To somebody who is logged in, with the open question after it.
wrong-credentials-again = I cannot find another invitation with that code and last name.
wrong-credentials-again-sms = No such code and name.
cooling = That did not work several times in a row. To keep invitations safe, please wait { $minutes ->
        [one] a minute
       *[other] { $minutes } minutes
    } and then try again.
cooling-sms = That was wrong several times. Please wait { $minutes ->
        [one] a minute
       *[other] { $minutes } minutes
    }, then try again.
wait-for-others = Too many wrong codes are coming in at the moment. Please try again in a minute.
already-logged-in = You are logged in as { $name } for <b>{ $event }</b>.
logged-out = You are logged out of { $name }'s invitation. To come back, send code and last name.
now-active = You now speak for { $name } ({ $event }).
login-ended = The invitation you were logged in to is no longer valid here. To continue, please send your code and last name.
one-login-ended = One of the invitations you were logged in to is no longer valid here.
in-group-chat = I read no codes in group chats. Please write to me in a private chat.
welcome = Welcome, { $name }!

# Who and what.

event-head = <b>{ $event }</b>
event-when = When: { $when }
event-ends = Until: { $when }
event-place = Where: { $place }
event-dress = Dress code: { $dress }
event-schedule = Schedule: { $schedule }
event-deadline = Please answer by { $deadline }.
event-closed = Answers closed on { $deadline }.
event-contact = Host: { $contact }
expected = { $expected ->
        [one] 1 person is expected.
       *[other] { $expected } people are expected.
    }
calendar-caption = For your calendar.

member-pending = { $name }: no answer yet
member-coming = { $name }: coming
member-declined = { $name }: not coming
member-waitlisted = { $name }: on the waiting list
member-with = { $name }: coming, with { $companions } of { $of } companions
member-without = { $name }: coming, without { $of ->
        [one] the companion
       *[other] the { $of } companions
    }
member-companions-only = { $name }: not coming, but { $companions ->
        [one] 1 companion is
       *[other] { $companions } companions are
    }
member-with-all = { $name }: coming, with { $of ->
        [one] 1 companion
       *[other] { $of } companions
    }
member-pending-with = { $name } and { $of ->
        [one] 1 companion
       *[other] { $of } companions
    }: no answer yet
member-declined-with = { $name } and { $of ->
        [one] 1 companion
       *[other] { $of } companions
    }: not coming
extras-line = And { $extras ->
        [one] 1 more person
       *[other] { $extras } more people
    } than expected.
extras-moved-line = The extra guests now count with { $name }.
extras-lost-line = The { $extras ->
        [one] extra guest is
       *[other] { $extras } extra guests are
    } taken off too.
# Needs and allergies alike: no word may turn "nuts" into a wish.
dietary-line = Dietary needs, { $name }: { $dietary }
dietary-line-with = Dietary needs, { $name } and { $companions ->
        [one] companion
       *[other] companions
    }: { $dietary }
dietary-line-companions = Dietary needs, { $companions ->
        [one] companion
       *[other] companions
    } of { $name }: { $dietary }
total-line = { $count ->
        [0] Nobody is coming.
        [one] 1 person is coming.
       *[other] { $count } people are coming.
    }
total-so-far = { $count ->
        [0] Nobody is coming so far.
        [one] 1 person is coming so far.
       *[other] { $count } people are coming so far.
    }

# The same where every character costs.

short-coming = Coming: { $names }.
short-declined = Not coming: { $names }.
short-pending = No answer yet: { $names }.
short-waitlisted = Waiting list: { $names }.
short-with = { $name } +{ $companions }
short-companions-only = { $companions ->
        [one] 1 companion of { $name }
       *[other] { $companions } companions of { $name }
    }
short-extras = +{ $extras } extra.
short-dietary = Dietary, { $name }: { $dietary }.
short-dietary-with = Dietary, { $name } and { $companions ->
        [one] companion
       *[other] companions
    }: { $dietary }.
short-dietary-companions = Dietary, { $companions ->
        [one] companion
       *[other] companions
    } of { $name }: { $dietary }.
companions-of = { $companions ->
        [one] 1 companion of { $name }
       *[other] { $companions } companions of { $name }
    }

# The walk. Messages with -short repeat a question that was not understood.

for-whom = { $answered } already answered. Is your answer for you, or for everybody?
for-whom-again = You have already answered. Is this for you, or for everybody?
for-whom-short = Is it for you, or for everybody?
choice-for-me = Only for me
choice-for-everybody = For everybody

are-you-coming = Are you coming?
are-you-coming-sms = { $event }: are you coming? Reply 1 if you are, 0 if not.
are-you-coming-short = Are you coming?
are-you-coming-short-sms = Are you coming? Reply 1 if you are, 0 if not.
how-many = How many of the { $expected } of you are coming?
how-many-sms = { $event }: how many of the { $expected } of you are coming? Reply a number, ALL, ONLY ME or NONE.
how-many-me = You and your { $of ->
        [one] companion
       *[other] { $of } companions
    }: how many are coming?
how-many-me-sms = { $event }: how many are coming, you included? { $expected } are expected. Reply a number, ALL, ONLY ME or NONE.
how-many-short = How many are coming?
how-many-short-sms = How many are coming? Reply a number, ALL, ONLY ME or NONE.
how-many-exactly = How many are coming? Type a number, or pick one.
how-many-exactly-sms = How many are coming? Reply with the number.
or-message = Or send "message" to write to the host.
or-message-sms = Or text MESSAGE to write to the host.
is-named-coming = Is { $names } coming?
is-named-coming-sms = Is { $names } coming? Reply 1 if so, 0 if not.
how-many-of-named = How many of the { $expected } are coming ({ $names })?
how-many-of-named-sms = How many of the { $expected } are coming ({ $names })? Reply a number, ALL or NONE.
choice-named-comes = { $names } is coming
choice-named-does-not = { $names } is not coming
choice-coming = Yes, I am coming
choice-not-coming = No, I cannot come
choice-all = All { $expected }
choice-some = Some of us
choice-only-me = Only me
choice-nobody = None of us
choice-number = { $number }

who-is-not = Expected { $expected } but you said { $count }. Who is not coming?
who-is-not-short = Who is not coming?
who-else-is-not = Not coming: { $out }. { $left ->
        [one] One more
       *[other] { $left } more
    }: who else is not coming?
who-else-is-not-short = { $left ->
        [one] One more
       *[other] { $left } more
    }: who else is not coming?
who-does-not-know = Who does not know yet? They can answer later.
choice-person = { $name }
choice-companion-of = One of { $name }'s companions
choice-only-companion-of = { $name }'s companion
choice-does-not-know = Somebody does not know yet
choice-does-not-know-sms = Somebody is not sure
choice-back = Back
choice-start-again = Start again
picks-do-not-add-up = That does not add up: expected { $expected }, you said { $count }, so { $left ->
        [0] there is nobody to leave out
        [one] there is 1 person to name
       *[other] there are { $left } people to name
    }.
picks-do-not-add-up-sms = { $left ->
        [0] Nobody is left to name.
        [one] That does not add up: 1 person is to be named.
       *[other] That does not add up: { $left } are to be named.
    }
which-person = Several fit that name. Please say which one you mean.
extras-sure = Expected { $expected } but you said { $count }. Are you sure?
extras-sure-short = Are you sure that you are { $count }?
choice-sure = Yes, { $count } people
choice-sure-sms = We are { $count }
choice-not-sure = No, let me correct that
too-many = That is more than I can take in: { $expected } expected. For a larger party, please talk to the host.
too-many-sms = Too many: { $expected } expected. For more, talk to the host.
nobody-or-not-me = Is nobody coming, or is it only you who cannot?
nobody-or-not-us = Is nobody coming, or is it only you and your companions who cannot?
choice-nobody-comes = Nobody is coming
choice-only-i-do-not = Only I cannot come
choice-only-we-do-not = Only I and my companions cannot
others-too = And { $names }: not coming, or will they answer themselves?
choice-others-not-coming = Not coming
choice-others-themselves = They answer themselves
change-others = { $changes } Change that?
was-coming = { $name } had answered: { $count ->
        [one] coming.
       *[other] coming ({ $count } people).
    }
was-declined = { $name } had answered: not coming.
was-coming-by = { $by } had answered for { $name }: { $count ->
        [one] coming.
       *[other] coming ({ $count } people).
    }
was-declined-by = { $by } had answered for { $name }: not coming.
is-coming = For { $name } this is noted: { $count ->
        [one] coming.
       *[other] coming ({ $count } people).
    }
is-declined = For { $name } this is noted: not coming.
was-waitlisted = { $name } is on the waiting list.
choice-change-it = Yes, change it
choice-leave-it = No, leave it
dietary-question = Any dietary needs or allergies for { $name }? Write them, or pick "None".
dietary-question-you = Do you have any dietary needs or allergies? Write them, or pick "None".
dietary-question-with = Any dietary needs or allergies for { $name } and { $companions ->
        [one] companion
       *[other] companions
    }? Write whose and what, or pick "None".
dietary-question-you-with = Any dietary needs or allergies for you and your { $companions ->
        [one] companion
       *[other] companions
    }? Write whose and what, or pick "None".
dietary-question-your-companions = Any dietary needs or allergies for your { $companions ->
        [one] companion
       *[other] companions
    }? Write whose and what, or pick "None".
dietary-question-companions = Any dietary needs or allergies for { $companions ->
        [one] the companion
       *[other] the companions
    } of { $name }? Write whose and what, or pick "None".
dietary-question-sms = Dietary needs or allergies for { $name }? Write them, or reply
dietary-question-you-sms = Do you have dietary needs or allergies? Write them, or reply
dietary-question-with-sms = Dietary needs for { $name } and { $companions ->
        [one] companion
       *[other] companions
    }? Write whose and what, or reply
dietary-question-you-with-sms = Dietary needs for you and your { $companions ->
        [one] companion
       *[other] companions
    }? Write whose and what, or reply
dietary-question-your-companions-sms = Dietary needs for your { $companions ->
        [one] companion
       *[other] companions
    }? Write whose and what, or reply
dietary-question-companions-sms = Dietary needs for { $companions ->
        [one] the companion
       *[other] the companions
    } of { $name }? Write whose and what, or reply
dietary-now = Noted so far: { $dietary }
dietary-which = Which ones? Please write what the kitchen should know.
choice-none = None
choice-keep = Keep as it is
choice-none-for-all = None for any of us
too-long = That is too long ({ $length } characters, at most { $most }). Please shorten it; nothing is stored yet.
too-long-sms = Too long: { $length } characters, at most { $most }.
read-back-head = Your answer:
read-back = Is this right?
choice-save = Yes, save it
choice-save-sms = Save it
choice-change = Change something
saved = Saved. Thank you!
saved-until = You can change it until { $deadline }: send "change".
saved-until-sms = Saved, thank you! To change it until { $deadline }, text CHANGE.
saved-dietary = Noted, thank you.
group-changed = Something has changed in the meantime. This is how it stands:
group-changed-sms = Something changed meanwhile:
question-gone = What I asked has been settled in the meantime.
answers-closed = Sorry, answers closed on { $deadline }. Nothing was changed.
talk-to-host = Please talk to the host: { $contact }
dietary-still-open = Dietary needs can still be changed: send "change".
dietary-still-open-sms = Dietary needs can still be changed: text CHANGE.
dietary-of = Dietary needs may still change. For whom?
event-cancelled = { $event } has been cancelled.
event-started = { $event } has begun; nothing can be changed any more.

# Any time.

your-answer = How it stands for <b>{ $event }</b>:
to-change = To change it, send "change".
to-change-sms = To change it, text CHANGE.
to-answer = To answer, send "change".
to-answer-sms = To answer, text CHANGE.
menu = You can send: <b>status</b> (your answer), <b>details</b>, <b>change</b>, <b>decline</b>, <b>switch</b> (another invitation), <b>message</b> (for the host), <b>mute</b>, <b>language</b>, <b>logout</b>. Not you? Send <b>wrong person</b>.
menu-sms = Text MINE (your answer), DETAILS, CHANGE, DECLINE, SWITCH, MESSAGE (for the host), MUTE, LANGUAGE, LOGOUT or WRONG PERSON.
menu-of-host = As a host, also: /digest (how it stands), /pending, /coming, /dietary, /find, /mark (enter an answer), /remind, /invite, /reply, /broadcast, /tell (of a change), /deadline and /admin (your desk).
take-your-time = No hurry: you can answer until { $deadline }. Just write again when you know.
take-your-time-sms = No hurry, just text when you know.
you-are-welcome = With pleasure!
not-understood = Sorry, I did not understand that.
not-understood-sms = Sorry, I did not get that.
no-such-command = Sorry, I did not understand that: I know no such command.
see-menu = Send "menu" to see what I understand.
see-menu-sms = Text MENU to see what I understand.
please-type = I can only read typed text here. Please type your answer.
please-type-sms = I can only read text.
edits-not-read = I do not read edits of earlier messages. Please send a new message instead.
choice-message-host = Leave a message for the host
choice-message-host-sms = Message for the host
old-question = That belonged to an earlier question. Here is the present one:
old-question-idle = That belonged to an earlier question, which is closed. Send "status" to see your answer.
old-question-idle-sms = That belonged to an earlier question, which is closed. Text MINE to see your answer.
number-too-early = Our messages crossed: that number came before this question.
message-ask = What would you like to tell the host? Your next message goes to them as you write it.
message-left = Thank you, it is noted for the host.
if-urgent = If it is urgent: { $contact }
choice-never-mind = Never mind
never-mind = All right.
switch-which = For which invitation?
switch-only-one = This is the only invitation here: { $name }, { $event }. To add another, send its code and last name.
choice-login = { $name }, { $event }
choice-login-of-code = { $name } ({ $code }), { $event }
language-which = Which language?
language-only = I only speak { $language } so far.
language-chosen = We continue in English.
choice-language = { $language }
wrong-person-sure = You are not { $name }? Then I remove this invitation from here and tell the host.
choice-not-this-person = I am not { $name }
choice-not-this-person-sms = I am not
choice-am-this-person = I am { $name }
choice-am-this-person-sms = I am
wrong-person-done = Sorry to have bothered you. The invitation is removed from here, and it is noted for the host.
muted = All right, no more reminders. Your answers still count. Send "unmute" to get them again.
muted-sms = All right, no more reminders. Your answers still count. Text UNMUTE to get them again.
unmuted = You will get reminders again.
opted-out = You will get no more texts from us. Text START to get them again.
opted-in = Our texts are on again.
contact-noted = Thank you, I have noted your phone number.
contact-not-own = That is somebody else's card. I only take your own number.
contact-unreadable = I could not read that phone number.
try-again-later = Sorry, your text could not be saved just now. Please send it again in a few minutes.

# Messages that Convive starts.

answered-for = { $by } answered for you ({ $event }):
answered-for-change = If that is not right, send "change".
answered-for-change-sms = Not right? Text CHANGE.
logged-in-elsewhere = { $name }'s invitation ({ $event }) was just opened from another { $channel ->
        [sms] phone
        [telegram] Telegram account
       *[other] place
    } too. If that was not you, please tell the host.
code-changed = { $name }'s invitation ({ $event }) has a new code, so you are logged out here. Ask the host for the new code.
host-extras = { $event }: { $name } says that { $coming } are coming; { $expected ->
        [one] 1 was
       *[other] { $expected } were
    } expected.
host-message = { $event }: a message from { $name }:
host-message-text = { $text }
host-wrong-person = { $event }: somebody wrote that they are not { $name } ({ $channel }). The address was removed; please check it.

# Reminders, invitations, and what the host has to say.

remind = <b>{ $event }</b>: no answer yet from { $names }. Please answer by { $deadline }.
remind-sms = { $event }: no answer yet from { $names } (by { $deadline }).
whom-first = For whom would you like to answer first?
remind-by-code = { $event }: no answer yet from { $names }. By { $deadline }, reply with { $name }'s last name (code { $code }). No more texts: STOP
remind-with-codes = { $event }: no answer yet from some invitations here. By { $deadline }, reply with code and last name: { $codes }. No more texts: STOP
remind-code = { $name }: { $code }
remind-code-too = For { $name }, send code { $code } and the last name.
invite = { $host } invites { $names } to <b>{ $event }</b>, { $when }.
invite-unsigned = { $names }: you are invited to <b>{ $event }</b>, { $when }.
invite-by-name = Reply with { $name }'s last name (code { $code }). No more texts: STOP
invite-by-codes = Reply with code and last name: { $codes }. No more texts: STOP
day-before = { $name }, see you tomorrow at <b>{ $event }</b>!
day-before-late = { $name }, see you at <b>{ $event }</b>!
event-changed = <b>{ $event }</b> has changed, { $name }. This is how it is now:
event-off = { $name }: <b>{ $event }</b> has been cancelled.
from-host = { $event }, for { $name }: { $text }

# To hosts.

host-late-change = { $event }: { $name } has changed their answer. Now:
host-full = { $event } is full: { $coming ->
        [one] 1 person is
       *[other] { $coming } people are
    } coming, for { $seats } seats{ $over ->
        [0] {""}
       *[other] : { $over } more than seats
    }.
host-channel-stopped = Nothing goes out by { $channel } at the moment: the provider refuses our account. Please check the settings; "convive check" says more.

# The digest.

digest-head = <b>{ $event }</b>, since { $since }:
digest-head-now = <b>{ $event }</b>:
digest-totals = Coming: <b>{ $coming }</b>, not coming: { $declined }, no answer yet: { $pending } of { $expected } expected.
digest-waitlisted = On the waiting list: { $waitlisted }.
digest-seats = Seats left: { $seats }.
digest-over = Overbooked: <b>{ $over }</b> more than seats.
digest-deadline = { $days ->
        [0] Answers close today
        [one] Answers close in 1 day
       *[other] Answers close in { $days } days
    } ({ $deadline }).
digest-out = Still out: { $names }.
digest-out-many = Still out: { $records } invitations, { $never } of them never opened.
digest-never = { $name } (never opened)
digest-call = To call, since no message reaches them: { $names }.
digest-call-many = To call, since no message reaches them: { $records } of those who have not answered; /pending says who.
digest-why = { $name } ({ $why ->
        [muted] muted
        [opted-out] opted out
        [blocked] blocked
        [too-late] too late in their hours
       *[none] no address
    })
digest-lost = Opted out or blocked: { $names }{ $more ->
        [0] {""}
       *[other] {" "}and { $more } more
    }.
digest-failed = { $count ->
        [one] 1 message
       *[other] { $count } messages
    } could not be delivered.
digest-nothing-new = Nothing new.
digest-day = <b>{ $day }</b>
digest-coming = { $name }: coming{ $count ->
        [one] {""}
       *[other] , { $count } people
    }{ $who }
digest-declined = { $name }: not coming{ $who }
digest-pending = { $name }: does not know yet{ $who }
digest-waiting = { $name }: on the waiting list{ $who }
digest-changed = { $now } (before: { $before })
digest-was-coming = coming{ $count ->
        [one] {""}
       *[other] , { $count } people
    }
digest-was-declined = not coming
digest-was-pending = no answer
digest-was-waiting = on the waiting list
digest-by = , says { $by } ({ $channel })
digest-by-host = , entered by the host ({ $channel })
digest-by-host-called = , entered by { $by } as host ({ $channel })
digest-eats = { $name } eats: { $dietary }
digest-eats-nothing-special = { $name }: no dietary needs any more
digest-extras = { $name }: { $extras ->
        [one] 1 person
       *[other] { $extras } people
    } more than expected
digest-message = Message from { $name }: { $text }
digest-wrong-person = Somebody wrote that they are not { $name } ({ $channel })
digest-opted-out = { $name } wants no more texts ({ $channel })
digest-blocked = { $name } has blocked us ({ $channel })
digest-short = { $event }: { $coming } coming, { $declined } not, { $pending } no answer ({ $never } never opened), { $over ->
        [0] { $seats ->
            [unlimited] no limit
            [one] 1 seat left
           *[other] { $seats } seats left
        }
       *[other] { $over } more than seats
    }, { $days ->
        [one] 1 day
       *[other] { $days } days
    } to answer. { $news } new.
choice-list-pending = Who is still out
choice-list-coming = Who is coming
choice-list-dietary = Dietary needs
broadcast-done = { $event }: your message went to { $sent } of { $messages } addresses.
broadcast-missed = It did not reach { $names }.

# What a host can do.

host-list-pending = { $event }, still out: { $count ->
        [one] 1 invitation
       *[other] { $count } invitations
    }
host-list-coming = { $event }, coming: { $count ->
        [one] 1 invitation
       *[other] { $count } invitations
    }
host-list-dietary = { $event }, dietary needs:
host-line-pending = { $name }{ $count ->
        [one] {""}
       *[other] , { $count } expected
    }
host-line-coming = { $name }: { $count }{ $extras ->
        [0] {""}
       *[other] , { $extras } more than expected
    }
host-line-dietary = { $name }: { $dietary }
host-page = Page { $page } of { $pages }. The next: /{ $list } { $next }
choice-more = More
host-no-page = There is no page { $page }; { $pages ->
        [one] there is only one.
       *[other] there are { $pages }.
    }
host-nobody-pending = { $event }: everybody has answered.
host-nobody-coming = { $event }: nobody has said yet that they are coming.
host-no-dietary = { $event }: no dietary needs so far.
host-who = Whom do you mean? Write the name behind the command.
host-which = Several people fit. Which one?
host-which-more = { $more } more fit: write more of the name, or the code.
host-nobody-called = Nobody on the list is called { $name }.
choice-person-of-code = { $name } ({ $code })
host-mark-how = Write it like this: /mark Bob Tanner coming 2 (that is Bob and one companion). Or: no, open. Whoever has a code of their own is marked by their own name.
host-mark-alone = This is for { $name } alone; what the others of the group have answered stays.
host-mark-others = This is for { $name } alone. No answer yet: { $names }. To enter that too, write for example: /mark { $example } coming
host-mark-head = To enter for { $name }:
host-mark-before = So far:
host-marked = Entered for { $name }.
host-own-invitation = Your own invitation:
host-changed-meanwhile = Something has changed in the meantime, so nothing is done yet. This is how it stands:
host-question-gone = That was about a guest who is no longer on the list: nothing was entered or sent.
choice-enter = Yes, enter it
choice-enter-sms = Enter it
choice-send = Send it
host-card = <b>{ $name }</b>, code { $code }
host-card-group = Together with { $names }.
host-card-phone = Phone: { $phone }
host-card-notes = Notes: { $notes }
host-card-opened = Logged in: { $channels }.
host-card-opened-before = Was logged in, and is not any more.
host-card-never = Never opened the invitation.
host-nobody-to-remind = Everybody has answered there; nobody is to be reminded.
host-remind-preview = { $count ->
        [one] 1 reminder goes out
       *[other] { $count } reminders go out
    } ({ $texts } by SMS, { $segments ->
        [one] 1 segment
       *[other] { $segments } segments
    }). Send?
host-reminded = { $count ->
        [one] 1 reminder is on its way.
       *[other] { $count } reminders are on their way.
    }
host-asked-lately = { $count ->
        [one] 1 guest was
       *[other] { $count } guests were
    } asked in the last { $hours } hours, or will be shortly: no second message goes to them.
host-not-reached = No message reaches { $names }.
host-not-reached-many = No message reaches { $count } guests; /{ $list } says who.
host-deadline-how = To change it, write for example: /deadline 12 June 18:00. A day without a time is meant to its end.
host-deadline-unreadable = I cannot read when that is.
host-deadline-same = That is the deadline already: { $deadline }.
host-deadline-past = That has passed: { $deadline }.
host-deadline-late = Answers cannot close after the event starts ({ $starts }).
host-deadline-refused = That cannot be: { $reason }
host-deadline-head = Answers would close { $deadline }; so far it is { $before }.
host-deadline-out = { $count ->
        [0] Everybody has answered.
        [one] 1 invitation is still out.
       *[other] { $count } invitations are still out.
    }
host-deadline-reminders = Who has not answered is reminded on { $days }.
host-deadline-no-reminder = No reminder goes out until then; /remind reminds at once.
choice-set-deadline = Yes, set it
host-deadline-set = Answers now close { $deadline }.
host-admin-link = Your way to the host's desk, for you alone. It opens once, within { $minutes } minutes:
host-admin-url = { $url }
host-admin-nowhere = I do not know where the host's desk is: set http.public_url. On the machine itself "convive admin-link" makes a link.
host-reply-how = Write it like this: /reply Anna Holloway There is parking behind the house.
host-replied = It goes to { $name }.
host-broadcast-how = Write it like this: /broadcast The bus leaves at 17:00.
host-broadcast-head = Your message to guests:
host-broadcast-text = { $text }
host-broadcast-coming = To those coming: { $count ->
        [one] 1 message
       *[other] { $count } messages
    }, { $texts } of them by SMS ({ $segments ->
        [one] 1 segment
       *[other] { $segments } segments
    }).
host-broadcast-all = To all: { $count ->
        [one] 1 message
       *[other] { $count } messages
    }, { $texts } of them by SMS ({ $segments ->
        [one] 1 segment
       *[other] { $segments } segments
    }).
host-goes-later = { $count ->
        [one] It goes
       *[other] They go
    } at { $when }, when guests may be written to.
host-some-go-later = { $count ->
        [one] 1 of them waits
       *[other] { $count } of them wait
    } until guests may be written to there, at the latest { $when }.
host-kept = { $count ->
        [one] 1 message is ready.
       *[other] { $count } messages are ready.
    }
host-opens-too-late = Guests may be written to again at { $when }, and answers close { $deadline }. So nothing can go in time.
host-tell-begun = { $event } has begun: it is too late to tell of changes. What you want to say yourself goes with /broadcast.
choice-to-coming = To those coming ({ $count })
choice-to-all = To all ({ $count })
host-broadcast-goes = { $count ->
        [one] 1 message is
       *[other] { $count } messages are
    } on the way; that takes about { $seconds } s.
host-broadcast-reports = I report when all is done.
host-broadcast-progress = { $event }: { $sent } of { $messages } messages have gone out so far.
host-tell-preview = How the event is now, to those coming: { $count ->
        [one] 1 message
       *[other] { $count } messages
    }, { $texts } of them by SMS ({ $segments ->
        [one] 1 segment
       *[other] { $segments } segments
    }). Send?
host-told = { $count ->
        [one] 1 message is
       *[other] { $count } messages are
    } on the way.
host-offer-changed = { $event } has changed. Shall I tell those who are coming ({ $count ->
        [one] 1 invitation
       *[other] { $count } invitations
    })? Send /tell
host-offer-off = { $event } is off. Shall I tell those who were coming ({ $count ->
        [one] 1 invitation
       *[other] { $count } invitations
    })? Send /tell
choice-tell-them = Tell them
host-nobody-to-invite = Nobody can be invited by SMS: either no phone number is known, or they have been here already. "convive guests codes" has links to forward.
host-invite-preview = { $count ->
        [one] 1 invitation goes out
       *[other] { $count } invitations go out
    } by SMS ({ $segments ->
        [one] 1 segment
       *[other] { $segments } segments
    }) to guests who were never here. Send?
host-invited = { $count ->
        [one] 1 invitation is on its way.
       *[other] { $count } invitations are on their way.
    }
