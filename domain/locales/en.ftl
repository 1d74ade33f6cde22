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
moment = { $when }, { $city } time
end-of-day = { $when }, end of day, { $city } time
list-and = { $first } and { $last }

# What typed words mean: alternatives between commas.

words-yes = yes, y, yeah, yep, yup, yes we are, yes i am, sure, of course, ok, okay, correct, right, thats right, confirm, confirmed, save, save it, done, absolutely, definitely, gladly, 👍, ✅
words-no = no, n, nope, nah, no thanks, no thank you, wrong, 👎, ❌
words-all = all, all of us, everyone, everybody, the whole family, whole family, the lot, every one, were all coming, we all
words-none = none, none of us, nobody, no one, noone, nobody comes, zero people
words-some = some, some of us, a few, a few of us, not all, not all of us, not everyone, not everybody
words-only = only, just
words-only-me = only me, just me, me only, me alone, only myself, just myself, myself, me, im coming alone, i come alone, alone
words-me = i, im, ill, ive
words-not = not, cant, cannot, can not, wont, will not, isnt, is not, arent, are not, doesnt come, does not come, couldnt, unable, unfortunately not, declines, decline, missing, out, away, sick, skip, skips, skipping, stays home, stay home, staying home, stays at home, without, minus, regrets
words-unsure = dont know, do not know, doesnt know, does not know, dont know yet, doesnt know yet, not sure, not sure yet, isnt sure, is not sure, unsure, undecided, maybe, perhaps, might, unclear, open, dunno, will see, will tell you later, later
words-except = except, apart from, besides, other than, all but, everyone but, everybody but, except for
words-but = but, however, though, although
words-companion = companion, companions, plus one, plus ones, plus 1, partner, date, kid, kids, child, children, baby, son, daughter, husband, wife
words-filler = we, were, we are, we re, us, our, of, will, be, there, is, are, am, the, a, an, and, as, well, to, it, make, come, comes, coming, attend, attending, attends, join, joining, joins, can, please, pls, thanks, thank you, thank, you, hi, hello, hey, dear, people, persons, person, guests, guest, total, in total, altogether, together, that, this, time, so, looking forward, sorry, unfortunately, sadly, im afraid, afraid, think, yet, with, from, for, at, in, party, family, group, adult, adults, do, does, going, able, able to, him, her, he, she, they, theyre, hes, shes, plus
words-numbers = zero/nil/nought, one/single, two/both/couple, three, four, five, six, seven, eight, nine, ten, eleven, twelve, thirteen, fourteen, fifteen, sixteen, seventeen, eighteen, nineteen, twenty

words-status = status, mine, my answer, my answers, answer, answers, whats my status, rsvp
words-details = details, detail, when, where, when is it, where is it, what time, address, place, dress code, dresscode, schedule, program, programme, deadline
words-help = help, menu, info, commands, what can you do, hilfe
words-change = change, edit, redo, update, change answer, change my answer, change rsvp, change my rsvp, again, modify
words-decline = decline, cant come anymore, cannot come anymore, cant make it anymore, we cant come anymore, i cant come anymore, we cant make it anymore
words-switch = switch, other, switch guest, switch invitation, other invitation, invitations
words-language = language, lang, languages, sprache, language settings
words-logout = logout, log out, sign out, signout, log off
words-mute = mute, no reminders, dont remind me, stop reminders
words-unmute = unmute, remind me, reminders on
words-message = message, host, contact, contact host, message host, ask host, ask the host, leave a message, question
words-wrong-person = wrong person, wrong number, not me, thats not me, i am not this person, im not this person, you have the wrong person, you have the wrong number

# SMS keywords beyond the carriers' own single words.
words-stop-meant = stop, stop please, please stop, stop it, stop texting me, stop texting, stop messaging me, stop sending me texts, unsubscribe me, please unsubscribe, opt out, opt me out, remove me, take me off the list, no more texts, no more messages, leave me alone
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

hello = Hello! I take the answers to your invitation. Please send your code and your last name in one message, like this: <b>K7QF2M Holloway</b>. Type the last name as it stands on the invitation.
hello-sms = Hello! To answer your invitation, text your code and last name together, e.g. K7QF2M Holloway. Spell the name as on the invitation.
ask-last-name = Thank you. And your last name, as it stands on the invitation?
wrong-credentials = I cannot find an invitation with that code and last name. Please send both in one message, like this: <b>K7QF2M Holloway</b>. Type the last name as it stands on the invitation, all parts of it.
wrong-credentials-sms = No invitation has that code and last name. Text both together, e.g. K7QF2M Holloway. Type the whole last name as on the invitation.
cooling = That did not work several times in a row. To keep invitations safe, please wait { $minutes ->
        [one] a minute
       *[other] { $minutes } minutes
    } and then try again.
already-logged-in = You are logged in as { $name } for <b>{ $event }</b>.
logged-out = You are logged out of { $name }'s invitation. To come back, send code and last name.
now-active = You now speak for { $name } ({ $event }).
login-ended = The invitation you were logged in to is no longer valid here. To continue, please send your code and last name.
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
member-with = { $name }: coming, with { $companions } of { $of ->
        [one] 1 companion
       *[other] { $of } companions
    }
member-without = { $name }: coming, without the { $of ->
        [one] companion
       *[other] { $of } companions
    }
member-companions-only = { $name }: not coming, but { $companions ->
        [one] 1 companion comes
       *[other] { $companions } companions come
    }
member-with-all = { $name }: coming, with { $of ->
        [one] 1 companion
       *[other] { $of } companions
    }
member-pending-with = { $name } and { $of ->
        [one] 1 companion
       *[other] { $of } companions
    }: no answer yet
member-open = { $name }: will answer later
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
dietary-line = { $name } eats: { $dietary }
dietary-none-line = { $name }: no dietary needs
total-line = { $count ->
        [0] Nobody comes.
        [one] 1 person comes.
       *[other] { $count } people come.
    }

# The walk.

for-whom = { $answered } already answered. Is your answer for you, or for everybody?
for-whom-sms = { $answered } already answered. Is your answer for you or for everybody? Reply with a number.
choice-for-me = Only for me
choice-for-everybody = For everybody

are-you-coming = Are you coming?
are-you-coming-sms = { $event }: are you coming? Reply 1 if you come, 0 if not.
how-many = How many of the { $expected } of you are coming?
how-many-sms = { $event }: how many of the { $expected } of you are coming? Reply a number, ALL, ONLY ME or NONE.
how-many-me = How many come of you and your { $of ->
        [one] companion
       *[other] { $of } companions
    }?
how-many-me-sms = { $event }: how many come, you included? { $expected } are expected. Reply a number, ALL, ONLY ME or NONE.
how-many-exactly = How many come? Type a number, or pick one.
how-many-exactly-sms = How many come? Reply with the number.
choice-coming = Yes, I come
choice-not-coming = No, I cannot come
choice-all = All { $expected }
choice-some = Some of us
choice-only-me = Only me
choice-nobody = None of us
choice-number = { $number }

who-is-not = Expected { $expected } but you said { $count }. Who is not coming?
who-else-is-not = Not coming: { $out }. { $left ->
        [one] One more
       *[other] { $left } more
    }: who else is not coming?
who-does-not-know = Who does not know yet? They can answer later.
choice-person = { $name }
choice-companion-of = One of { $name }'s companions
choice-does-not-know = Somebody does not know yet
choice-back = Back
choice-start-again = Start again
picks-do-not-add-up = That does not add up: expected { $expected }, you said { $count }, so { $left ->
        [one] 1 person is
       *[other] { $left } people are
    } left to name.
which-person = Several people fit that. Please pick one.
extras-sure = Expected { $expected } but you said { $count }. Are you sure?
extras-sure-sms = Expected { $expected } but you said { $count }. Are you sure?
choice-sure = Yes, { $count } people
choice-sure-sms = We are { $count }
choice-not-sure = No, let me correct that
too-many = That is more than I can take in: { $expected } expected. For a larger party, please talk to the host.
nobody-or-not-me = Is nobody of you coming, or only you not?
choice-nobody-comes = Nobody is coming
choice-only-i-do-not = Only I am not coming
others-too = And { $names }: not coming, or will they answer themselves?
choice-others-not-coming = Not coming
choice-others-themselves = They answer themselves
change-others = { $changes } Change that?
was-coming = { $name } had answered: coming ({ $count }).
was-declined = { $name } had answered: not coming.
was-waitlisted = { $name } is on the waiting list.
choice-change-it = Yes, change it
choice-leave-it = No, leave it
dietary-question = Any dietary needs or allergies for { $name }? Write them, or pick "None".
dietary-question-you = Any dietary needs or allergies for you? Write them, or pick "None".
dietary-question-with = Any dietary needs or allergies for { $name } and companions? Write whose and what, or pick "None".
dietary-question-with-sms = Dietary needs for { $name } and companions? Write whose and what, or reply
dietary-question-sms = Dietary needs or allergies for { $name }? Write them, or reply
dietary-question-you-sms = Dietary needs or allergies for you? Write them, or reply
dietary-now = Noted so far: { $dietary }
choice-none = None
choice-keep = Keep as it is
choice-none-for-all = None for any of us
dietary-too-long = That is too long for the kitchen list ({ $length } characters, at most { $most }). Please shorten it; nothing is stored yet.
read-back = Is this right?
short-coming = Coming: { $names }.
short-declined = Not coming: { $names }.
short-pending = No answer yet: { $names }.
short-waitlisted = Waiting list: { $names }.
short-with = { $name } +{ $companions }
short-companions-only = { $companions } with { $name }, without { $name }
short-extras = +{ $extras } extra.
short-dietary = { $name } eats: { $dietary }.
read-back-head = Your answer:
choice-save = Yes, save it
choice-save-sms = Save it
choice-change = Change something
saved = Saved. Thank you!
saved-until = You can change it until { $deadline }: send "change".
saved-until-sms = Saved, thank you! To change it until { $deadline }, text CHANGE.
saved-dietary = Noted, thank you.
group-changed = Something has changed in the meantime. This is how it stands:
answers-closed = Sorry, answers closed on { $deadline }. Nothing was changed.
answers-closed-contact = Sorry, answers closed on { $deadline }. Nothing was changed. Please talk to the host: { $contact }
dietary-still-open = Dietary needs can still be changed: send "change".
dietary-of = Answers are closed, but dietary needs may still change. For whom?
event-cancelled = { $event } has been cancelled.
event-started = { $event } has begun; nothing can be changed any more.

# Any time.

your-answer = How it stands for <b>{ $event }</b>:
to-change = To change it, send "change".
to-change-sms = To change it, text CHANGE.
to-answer = To answer, send "change".
to-answer-sms = To answer, text CHANGE.
menu = You can send: <b>status</b> (your answer), <b>details</b>, <b>change</b>, <b>decline</b>, <b>switch</b> (another invitation), <b>message</b> (for the host), <b>mute</b>, <b>language</b>, <b>logout</b>. Not you? Send <b>wrong person</b>.
menu-sms = Text MINE (your answer), DETAILS, CHANGE, SWITCH, MESSAGE (for the host), MUTE, LANGUAGE, LOGOUT or WRONG PERSON.
take-your-time = No hurry: you can answer until { $deadline }. Just write again when you know.
not-understood = Sorry, I did not understand that.
not-understood-idle = Sorry, I did not understand that. Send "menu" to see what I understand.
not-understood-idle-sms = Sorry, I did not understand that. Text MENU to see what I understand.
please-type = I can only read typed text here.
edits-not-read = I do not read edits of earlier messages. Please send a new message instead.
choice-message-host = Leave a message for the host
old-question = That belonged to an earlier question. Here is the present one:
old-question-idle = That belonged to an earlier question, which is closed. Send "status" to see your answer.
old-question-idle-sms = That belonged to an earlier question, which is closed. Text MINE to see your answer.
number-too-early = Our messages crossed: that number came before this question.
message-ask = What would you like to tell the host? Your next message goes to them as you write it.
message-left = Thank you, the host will read it.
message-empty = That was empty. What would you like to tell the host?
choice-never-mind = Never mind
never-mind = All right.
switch-which = For which invitation?
switch-only-one = This is the only invitation here: { $name }, { $event }. To add another, send its code and last name.
choice-login = { $name }, { $event }
language-which = Which language?
language-only = I only speak { $language } so far.
language-chosen = We continue in English.
choice-language = { $language }
wrong-person-sure = You are not { $name }? Then I remove this invitation from here and tell the host.
choice-not-this-person = I am not { $name }
choice-am-this-person = I am
wrong-person-done = Sorry to have bothered you. The invitation is removed from here, and the host knows.
muted = All right, no more reminders. Your answers still count. Send "unmute" to get them again.
muted-sms = All right, no more reminders. Your answers still count. Text UNMUTE to get them again.
unmuted = You will get reminders again.
opted-out = You will get no more texts from us. Text START to get them again.
opted-in = Welcome back: you will get our texts again.
contact-noted = Thank you, I have noted your phone number.
contact-not-own = That is somebody else's card. I only take your own number.
contact-unreadable = I could not read that phone number.
logged-out-all = You are logged out.
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
host-extras = { $event }: { $name } confirmed { $coming }, expected were { $expected }.
host-message = { $event }: a message from { $name }:
host-message-text = { $text }
host-wrong-person = { $event }: somebody wrote that they are not { $name } ({ $channel }). The address was removed; please check it.
