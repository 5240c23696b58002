#!/bin/bash

__helix_cursor_index_in_current_word() {
    local remaining="${COMP_LINE}"

    local word
    for word in "${COMP_WORDS[@]::COMP_CWORD}"; do
        remaining="${remaining##*([[:space:]])"${word}"*([[:space:]])}"
    done

    local -ir index="$((COMP_POINT - ${#COMP_LINE} + ${#remaining}))"
    if [[ "${index}" -le 0 ]]; then
        printf 0
    else
        printf %s "${index}"
    fi
}

# positional arguments:
#
# - 1: the current (sub)command's count of positional arguments
#
# required variables:
#
# - repeating_flags: the repeating flags that the current (sub)command can accept
# - non_repeating_flags: the non-repeating flags that the current (sub)command can accept
# - repeating_options: the repeating options that the current (sub)command can accept
# - non_repeating_options: the non-repeating options that the current (sub)command can accept
# - positional_number: value ignored
# - unparsed_words: unparsed words from the current command line
#
# modified variables:
#
# - non_repeating_flags: remove flags for this (sub)command that are already on the command line
# - non_repeating_options: remove options for this (sub)command that are already on the command line
# - positional_number: set to the current positional number
# - unparsed_words: remove all flags, options, and option values for this (sub)command
__helix_offer_flags_options() {
    local -ir positional_count="${1}"
    positional_number=0

    local was_flag_option_terminator_seen=false
    local is_parsing_option_value=false

    local -ar unparsed_word_indices=("${!unparsed_words[@]}")
    local -i word_index
    for word_index in "${unparsed_word_indices[@]}"; do
        if "${is_parsing_option_value}"; then
            # This word is an option value:
            # Reset marker for next word iff not currently the last word
            [[ "${word_index}" -ne "${unparsed_word_indices[${#unparsed_word_indices[@]} - 1]}" ]] && is_parsing_option_value=false
            unset "unparsed_words[${word_index}]"
            # Do not process this word as a flag or an option
            continue
        fi

        local word="${unparsed_words["${word_index}"]}"
        if ! "${was_flag_option_terminator_seen}"; then
            case "${word}" in
            --)
                unset "unparsed_words[${word_index}]"
                # by itself -- is a flag/option terminator, but if it is the last word, it is the start of a completion
                if [[ "${word_index}" -ne "${unparsed_word_indices[${#unparsed_word_indices[@]} - 1]}" ]]; then
                    was_flag_option_terminator_seen=true
                fi
                continue
                ;;
            -*)
                # ${word} is a flag or an option
                # If ${word} is an option, mark that the next word to be parsed is an option value
                local option
                for option in "${repeating_options[@]}" "${non_repeating_options[@]}"; do
                    [[ "${word}" = "${option}" ]] && is_parsing_option_value=true && break
                done

                # Remove ${word} from ${non_repeating_flags} or ${non_repeating_options} so it isn't offered again
                local not_found=true
                local -i index
                for index in "${!non_repeating_flags[@]}"; do
                    if [[ "${non_repeating_flags[${index}]}" = "${word}" ]]; then
                        unset "non_repeating_flags[${index}]"
                        non_repeating_flags=("${non_repeating_flags[@]}")
                        not_found=false
                        break
                    fi
                done
                if "${not_found}"; then
                    for index in "${!non_repeating_flags[@]}"; do
                        if [[ "${non_repeating_flags[${index}]}" = "${word}" ]]; then
                            unset "non_repeating_flags[${index}]"
                            non_repeating_flags=("${non_repeating_flags[@]}")
                            break
                        fi
                    done
                fi
                unset "unparsed_words[${word_index}]"
                continue
                ;;
            esac
        fi

        # ${word} is neither a flag, nor an option, nor an option value
        if [[ "${positional_number}" -lt "${positional_count}" || "${positional_count}" -lt 0 ]]; then
            # ${word} is a positional
            ((positional_number++))
            unset "unparsed_words[${word_index}]"
        else
            if [[ -z "${word}" ]]; then
                # Could be completing a flag, option, or subcommand
                positional_number=-1
            else
                # ${word} is a subcommand or invalid, so stop processing this (sub)command
                positional_number=-2
            fi
            break
        fi
    done

    unparsed_words=("${unparsed_words[@]}")

    if\
        ! "${was_flag_option_terminator_seen}"\
        && ! "${is_parsing_option_value}"\
        && [[ ("${cur}" = -* && "${positional_number}" -ge 0) || "${positional_number}" -eq -1 ]]
    then
        COMPREPLY+=($(compgen -W "${repeating_flags[*]} ${non_repeating_flags[*]} ${repeating_options[*]} ${non_repeating_options[*]}" -- "${cur}"))
    fi
}

__helix_add_completions() {
    local completion
    while IFS='' read -r completion; do
        COMPREPLY+=("${completion}")
    done < <(IFS=$'\n' compgen "${@}" -- "${cur}")
}

__helix_custom_complete() {
    if [[ -n "${cur}" || -z ${COMP_WORDS[${COMP_CWORD}]} || "${COMP_LINE:${COMP_POINT}:1}" != ' ' ]]; then
        local -ar words=("${COMP_WORDS[@]}")
    else
        local -ar words=("${COMP_WORDS[@]::${COMP_CWORD}}" '' "${COMP_WORDS[@]:${COMP_CWORD}}")
    fi

    "${COMP_WORDS[0]}" "${@}" "${words[@]}"
}

_helix() {
    local state
    state="$(shopt -p;shopt -po)"
    trap "${state//$'\n'/;}" RETURN
    shopt -s extglob
    set +o history +o posix

    local -xr SAP_SHELL=bash
    local -x SAP_SHELL_VERSION
    SAP_SHELL_VERSION="$(IFS='.';printf %s "${BASH_VERSINFO[*]}")"
    local -r SAP_SHELL_VERSION

    local -r cur="${2}"
    local -r prev="${3}"

    local -i positional_number
    local -a unparsed_words=("${COMP_WORDS[@]:1:${COMP_CWORD}}")

    local -a repeating_flags=()
    local -a non_repeating_flags=(--version -h --help)
    local -a repeating_options=()
    local -a non_repeating_options=()
    __helix_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    cal|mail|tasks|time|projects|chat|contacts|today|ui|status|search|reminders|remind|watch|ask|plan|extract|show|open|dates|fields|link|unlink|undo|redo|history|review|sync|outbox|account|gateway|config|lock|unlock|vault|doctor|backup|restore|schema|mcp|completions|help)
        # Offer subcommand argument completions
        "_helix_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'cal mail tasks time projects chat contacts today ui status search reminders remind watch ask plan extract show open dates fields link unlink undo redo history review sync outbox account gateway config lock unlock vault doctor backup restore schema mcp completions help' -- "${cur}"))
        ;;
    esac
}

_helix_cal() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __helix_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    week|day|month|agenda|year|add|rsvp|invite|edit|move|copy|delete|show|search|conflicts|free|import|export|check|stats|print|calendars)
        # Offer subcommand argument completions
        "_helix_cal_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'week day month agenda year add rsvp invite edit move copy delete show search conflicts free import export check stats print calendars' -- "${cur}"))
        ;;
    esac
}

_helix_cal_week() {
    repeating_flags=()
    non_repeating_flags=(--json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=(-c --calendar)
    non_repeating_options=(--days --fields --columns --limit --color --tz)
    __helix_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--days')
        return
        ;;
    '-c'|'--calendar')
        __helix_add_completions -W "$(__helix_custom_complete ---completion cal week -- --calendar "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion cal week -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion cal week -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion cal week -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_cal_day() {
    repeating_flags=()
    non_repeating_flags=(--json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=(-c --calendar)
    non_repeating_options=(--days --fields --columns --limit --color --tz)
    __helix_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--days')
        return
        ;;
    '-c'|'--calendar')
        __helix_add_completions -W "$(__helix_custom_complete ---completion cal day -- --calendar "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion cal day -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion cal day -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion cal day -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_cal_month() {
    repeating_flags=()
    non_repeating_flags=(--json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=(-c --calendar)
    non_repeating_options=(--days --fields --columns --limit --color --tz)
    __helix_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--days')
        return
        ;;
    '-c'|'--calendar')
        __helix_add_completions -W "$(__helix_custom_complete ---completion cal month -- --calendar "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion cal month -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion cal month -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion cal month -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_cal_agenda() {
    repeating_flags=()
    non_repeating_flags=(--tasks --ids --reverse --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=(-c --calendar)
    non_repeating_options=(--days --from --to --format --sort --after --fields --columns --limit --color --tz)
    __helix_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--days')
        return
        ;;
    '--from')
        return
        ;;
    '--to')
        return
        ;;
    '-c'|'--calendar')
        __helix_add_completions -W "$(__helix_custom_complete ---completion cal agenda -- --calendar "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--format')
        return
        ;;
    '--sort')
        return
        ;;
    '--after')
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion cal agenda -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion cal agenda -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion cal agenda -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_cal_year() {
    repeating_flags=()
    non_repeating_flags=(--json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=(-c --calendar)
    non_repeating_options=(--days --fields --columns --limit --color --tz)
    __helix_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--days')
        return
        ;;
    '-c'|'--calendar')
        __helix_add_completions -W "$(__helix_custom_complete ---completion cal year -- --calendar "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion cal year -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion cal year -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion cal year -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_cal_add() {
    repeating_flags=()
    non_repeating_flags=(--all-day --free --no-free --dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=(--attendee --alarm --category)
    non_repeating_options=(--title --from-mail --from-chat -c --calendar --start --end --duration --location --description --status --url --repeat --rrule --on-conflict --fields --columns --limit --color --tz)
    __helix_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--title')
        return
        ;;
    '--from-mail')
        __helix_add_completions -W "$(__helix_custom_complete ---completion cal add -- --from-mail "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--from-chat')
        __helix_add_completions -W "$(__helix_custom_complete ---completion cal add -- --from-chat "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '-c'|'--calendar')
        __helix_add_completions -W "$(__helix_custom_complete ---completion cal add -- --calendar "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--start')
        return
        ;;
    '--end')
        return
        ;;
    '--duration')
        return
        ;;
    '--location')
        return
        ;;
    '--description')
        return
        ;;
    '--attendee')
        __helix_add_completions -W "$(__helix_custom_complete ---completion cal add -- --attendee "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--alarm')
        return
        ;;
    '--category')
        return
        ;;
    '--status')
        __helix_add_completions -W 'confirmed'$'\n''tentative'$'\n''cancelled'
        return
        ;;
    '--url')
        return
        ;;
    '--repeat')
        __helix_add_completions -W 'daily'$'\n''weekdays'$'\n''weekly'$'\n''every 2 weeks'$'\n''monthly'$'\n''last fri of the month'$'\n''yearly'$'\n''never'
        return
        ;;
    '--rrule')
        return
        ;;
    '--on-conflict')
        __helix_add_completions -W 'warn'$'\n''fail'$'\n''suggest'$'\n''allow'
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion cal add -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion cal add -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion cal add -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_cal_rsvp() {
    repeating_flags=()
    non_repeating_flags=(--silent --dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--comment --propose --calendar --as --fields --columns --limit --color --tz)
    __helix_offer_flags_options 2

    # Offer option value completions
    case "${prev}" in
    '--comment')
        return
        ;;
    '--propose')
        return
        ;;
    '--calendar')
        __helix_add_completions -W "$(__helix_custom_complete ---completion cal rsvp -- --calendar "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--as')
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion cal rsvp -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion cal rsvp -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion cal rsvp -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __helix_add_completions -W "$(__helix_custom_complete ---completion cal rsvp -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    2)
        __helix_add_completions -W 'accept'$'\n''decline'$'\n''tentative'
        return
        ;;
    esac
}

_helix_cal_invite() {
    repeating_flags=()
    non_repeating_flags=(--optional --remove --by-mail --silent --dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--comment --as --fields --columns --limit --color --tz)
    __helix_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--comment')
        return
        ;;
    '--as')
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion cal invite -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion cal invite -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion cal invite -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __helix_add_completions -W "$(__helix_custom_complete ---completion cal invite -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    *)
        __helix_add_completions -W "$(__helix_custom_complete ---completion cal invite -- positional@1 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_cal_edit() {
    repeating_flags=()
    non_repeating_flags=(--all-day --free --no-free --all --silent --dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=(--attendee --alarm --category)
    non_repeating_options=(--title -c --calendar --start --end --duration --location --description --status --url --repeat --rrule --this --future --on-conflict --fields --columns --limit --color --tz)
    __helix_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--title')
        return
        ;;
    '-c'|'--calendar')
        __helix_add_completions -W "$(__helix_custom_complete ---completion cal edit -- --calendar "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--start')
        return
        ;;
    '--end')
        return
        ;;
    '--duration')
        return
        ;;
    '--location')
        return
        ;;
    '--description')
        return
        ;;
    '--attendee')
        __helix_add_completions -W "$(__helix_custom_complete ---completion cal edit -- --attendee "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--alarm')
        return
        ;;
    '--category')
        return
        ;;
    '--status')
        __helix_add_completions -W 'confirmed'$'\n''tentative'$'\n''cancelled'
        return
        ;;
    '--url')
        return
        ;;
    '--repeat')
        __helix_add_completions -W 'daily'$'\n''weekdays'$'\n''weekly'$'\n''every 2 weeks'$'\n''monthly'$'\n''last fri of the month'$'\n''yearly'$'\n''never'
        return
        ;;
    '--rrule')
        return
        ;;
    '--this')
        return
        ;;
    '--future')
        return
        ;;
    '--on-conflict')
        __helix_add_completions -W 'warn'$'\n''fail'$'\n''suggest'$'\n''allow'
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion cal edit -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion cal edit -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion cal edit -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __helix_add_completions -W "$(__helix_custom_complete ---completion cal edit -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_cal_move() {
    repeating_flags=()
    non_repeating_flags=(--all --silent --dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--this --future --on-conflict --fields --columns --limit --color --tz)
    __helix_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--this')
        return
        ;;
    '--future')
        return
        ;;
    '--on-conflict')
        __helix_add_completions -W 'warn'$'\n''fail'$'\n''suggest'$'\n''allow'
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion cal move -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion cal move -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion cal move -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __helix_add_completions -W "$(__helix_custom_complete ---completion cal move -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_cal_copy() {
    repeating_flags=()
    non_repeating_flags=(--dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(-c --calendar --this --on-conflict --fields --columns --limit --color --tz)
    __helix_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '-c'|'--calendar')
        __helix_add_completions -W "$(__helix_custom_complete ---completion cal copy -- --calendar "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--this')
        return
        ;;
    '--on-conflict')
        __helix_add_completions -W 'warn'$'\n''fail'$'\n''suggest'$'\n''allow'
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion cal copy -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion cal copy -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion cal copy -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __helix_add_completions -W "$(__helix_custom_complete ---completion cal copy -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_cal_delete() {
    repeating_flags=()
    non_repeating_flags=(-y --yes --all --silent --dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--this --future --fields --columns --limit --color --tz)
    __helix_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--this')
        return
        ;;
    '--future')
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion cal delete -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion cal delete -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion cal delete -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __helix_add_completions -W "$(__helix_custom_complete ---completion cal delete -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_cal_show() {
    repeating_flags=()
    non_repeating_flags=(--json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--this --fields --columns --limit --color --tz)
    __helix_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--this')
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion cal show -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion cal show -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion cal show -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __helix_add_completions -W "$(__helix_custom_complete ---completion cal show -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_cal_search() {
    repeating_flags=()
    non_repeating_flags=(--ids --reverse --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=(-c --calendar)
    non_repeating_options=(--from --to --format --sort --after --fields --columns --limit --color --tz)
    __helix_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--from')
        return
        ;;
    '--to')
        return
        ;;
    '-c'|'--calendar')
        __helix_add_completions -W "$(__helix_custom_complete ---completion cal search -- --calendar "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--format')
        return
        ;;
    '--sort')
        return
        ;;
    '--after')
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion cal search -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion cal search -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion cal search -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __helix_add_completions -W "$(__helix_custom_complete ---completion cal search -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_cal_conflicts() {
    repeating_flags=()
    non_repeating_flags=(--all-day --ids --reverse --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=(-c --calendar)
    non_repeating_options=(--buffer --hours --from --to --format --sort --after --fields --columns --limit --color --tz)
    __helix_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--buffer')
        return
        ;;
    '--hours')
        return
        ;;
    '--from')
        return
        ;;
    '--to')
        return
        ;;
    '-c'|'--calendar')
        __helix_add_completions -W "$(__helix_custom_complete ---completion cal conflicts -- --calendar "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--format')
        return
        ;;
    '--sort')
        return
        ;;
    '--after')
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion cal conflicts -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion cal conflicts -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion cal conflicts -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_cal_free() {
    repeating_flags=()
    non_repeating_flags=(--ids --reverse --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=(--with -c --calendar)
    non_repeating_options=(--duration --hours --days --buffer --from --to --format --sort --after --fields --columns --limit --color --tz)
    __helix_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--duration')
        return
        ;;
    '--hours')
        return
        ;;
    '--days')
        return
        ;;
    '--buffer')
        return
        ;;
    '--with')
        return
        ;;
    '--from')
        return
        ;;
    '--to')
        return
        ;;
    '-c'|'--calendar')
        __helix_add_completions -W "$(__helix_custom_complete ---completion cal free -- --calendar "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--format')
        return
        ;;
    '--sort')
        return
        ;;
    '--after')
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion cal free -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion cal free -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion cal free -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_cal_import() {
    repeating_flags=()
    non_repeating_flags=(--dry-run --check --strict --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(-c --calendar --on-conflict --fields --columns --limit --color --tz)
    __helix_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '-c'|'--calendar')
        __helix_add_completions -W "$(__helix_custom_complete ---completion cal import -- --calendar "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--on-conflict')
        __helix_add_completions -W 'warn'$'\n''fail'$'\n''suggest'$'\n''allow'
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion cal import -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion cal import -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion cal import -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __helix_add_completions -o plusdirs -fX '!*.@(ics|ical|vcs)'
        return
        ;;
    esac
}

_helix_cal_export() {
    repeating_flags=()
    non_repeating_flags=(--force --check --no-check --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=(-c --calendar)
    non_repeating_options=(-o --output --out --from --to --fields --columns --limit --color --tz)
    __helix_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '-o'|'--output'|'--out')
        __helix_add_completions -f
        return
        ;;
    '--from')
        return
        ;;
    '--to')
        return
        ;;
    '-c'|'--calendar')
        __helix_add_completions -W "$(__helix_custom_complete ---completion cal export -- --calendar "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion cal export -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion cal export -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion cal export -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __helix_add_completions -W "$(__helix_custom_complete ---completion cal export -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_cal_check() {
    repeating_flags=()
    non_repeating_flags=(--store --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--fields --columns --limit --color --tz)
    __helix_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion cal check -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion cal check -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion cal check -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __helix_add_completions -o plusdirs -fX '!*.@(ics|ical|ifb|vcs)'
        return
        ;;
    esac
}

_helix_cal_stats() {
    repeating_flags=()
    non_repeating_flags=(--chart --force --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=(-c --calendar)
    non_repeating_options=(--from --to -o --output --fields --columns --limit --color --tz)
    __helix_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--from')
        return
        ;;
    '--to')
        return
        ;;
    '-c'|'--calendar')
        __helix_add_completions -W "$(__helix_custom_complete ---completion cal stats -- --calendar "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '-o'|'--output')
        __helix_add_completions -f
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion cal stats -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion cal stats -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion cal stats -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_cal_print() {
    repeating_flags=()
    non_repeating_flags=(--portrait --force --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=(-c --calendar)
    non_repeating_options=(--paper --from --to -o --output --fields --columns --limit --color --tz)
    __helix_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--paper')
        __helix_add_completions -W 'a3'$'\n''a4'$'\n''a5'$'\n''letter'$'\n''legal'
        return
        ;;
    '--from')
        return
        ;;
    '--to')
        return
        ;;
    '-o'|'--output')
        __helix_add_completions -f
        return
        ;;
    '-c'|'--calendar')
        __helix_add_completions -W "$(__helix_custom_complete ---completion cal print -- --calendar "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion cal print -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion cal print -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion cal print -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __helix_add_completions -W 'week'$'\n''month'
        return
        ;;
    esac
}

_helix_cal_calendars() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __helix_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    list|add|rename|color|hide|show|delete|default)
        # Offer subcommand argument completions
        "_helix_cal_calendars_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'list add rename color hide show delete default' -- "${cur}"))
        ;;
    esac
}

_helix_cal_calendars_list() {
    repeating_flags=()
    non_repeating_flags=(--ids --reverse --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--format --sort --after --fields --columns --limit --color --tz)
    __helix_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--format')
        return
        ;;
    '--sort')
        return
        ;;
    '--after')
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion cal calendars list -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion cal calendars list -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion cal calendars list -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_cal_calendars_add() {
    repeating_flags=()
    non_repeating_flags=(--dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--account --fields --columns --limit --color --tz)
    __helix_offer_flags_options 2

    # Offer option value completions
    case "${prev}" in
    '--account')
        __helix_add_completions -W "$(__helix_custom_complete ---completion cal calendars add -- --account "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion cal calendars add -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion cal calendars add -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion cal calendars add -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    2)
        __helix_add_completions -W 'blue'$'\n''green'$'\n''magenta'$'\n''yellow'$'\n''cyan'$'\n''red'$'\n''orange'$'\n''gray'
        return
        ;;
    esac
}

_helix_cal_calendars_rename() {
    repeating_flags=()
    non_repeating_flags=(--dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--fields --columns --limit --color --tz)
    __helix_offer_flags_options 2

    # Offer option value completions
    case "${prev}" in
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion cal calendars rename -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion cal calendars rename -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion cal calendars rename -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __helix_add_completions -W "$(__helix_custom_complete ---completion cal calendars rename -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_cal_calendars_color() {
    repeating_flags=()
    non_repeating_flags=(--dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--fields --columns --limit --color --tz)
    __helix_offer_flags_options 2

    # Offer option value completions
    case "${prev}" in
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion cal calendars color -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion cal calendars color -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion cal calendars color -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __helix_add_completions -W "$(__helix_custom_complete ---completion cal calendars color -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    2)
        __helix_add_completions -W 'blue'$'\n''green'$'\n''magenta'$'\n''yellow'$'\n''cyan'$'\n''red'$'\n''orange'$'\n''gray'
        return
        ;;
    esac
}

_helix_cal_calendars_hide() {
    repeating_flags=()
    non_repeating_flags=(--dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--fields --columns --limit --color --tz)
    __helix_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion cal calendars hide -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion cal calendars hide -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion cal calendars hide -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __helix_add_completions -W "$(__helix_custom_complete ---completion cal calendars hide -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_cal_calendars_show() {
    repeating_flags=()
    non_repeating_flags=(--dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--fields --columns --limit --color --tz)
    __helix_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion cal calendars show -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion cal calendars show -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion cal calendars show -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __helix_add_completions -W "$(__helix_custom_complete ---completion cal calendars show -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_cal_calendars_delete() {
    repeating_flags=()
    non_repeating_flags=(-y --yes --dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--fields --columns --limit --color --tz)
    __helix_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion cal calendars delete -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion cal calendars delete -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion cal calendars delete -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __helix_add_completions -W "$(__helix_custom_complete ---completion cal calendars delete -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_cal_calendars_default() {
    repeating_flags=()
    non_repeating_flags=(--dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--fields --columns --limit --color --tz)
    __helix_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion cal calendars default -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion cal calendars default -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion cal calendars default -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __helix_add_completions -W "$(__helix_custom_complete ---completion cal calendars default -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_mail() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __helix_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    list|inbox|unread|search|read|open|thread|new|reply|reply-all|forward|bounce|resend|templates|drafts|edit|send|discard|mark|label|move|archive|snooze|follow-up|mute|unsubscribe|rules|vacation|trash|delete|mailboxes|attachments|import|export|index|people|verify|keys|stats|summarize|draft|triage)
        # Offer subcommand argument completions
        "_helix_mail_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'list inbox unread search read open thread new reply reply-all forward bounce resend templates drafts edit send discard mark label move archive snooze follow-up mute unsubscribe rules vacation trash delete mailboxes attachments import export index people verify keys stats summarize draft triage' -- "${cur}"))
        ;;
    esac
}

_helix_mail_list() {
    repeating_flags=()
    non_repeating_flags=(--threads --senders --no-index --ids --reverse --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--mailbox -m --format --sort --after --fields --columns --limit --color --tz)
    __helix_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--mailbox'|'-m')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail list -- --mailbox "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--format')
        return
        ;;
    '--sort')
        return
        ;;
    '--after')
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail list -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail list -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail list -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_mail_inbox() {
    repeating_flags=()
    non_repeating_flags=(--threads --no-index --ids --reverse --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--format --sort --after --fields --columns --limit --color --tz)
    __helix_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--format')
        return
        ;;
    '--sort')
        return
        ;;
    '--after')
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail inbox -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail inbox -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail inbox -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_mail_unread() {
    repeating_flags=()
    non_repeating_flags=(--no-index --ids --reverse --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--format --sort --after --fields --columns --limit --color --tz)
    __helix_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--format')
        return
        ;;
    '--sort')
        return
        ;;
    '--after')
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail unread -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail unread -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail unread -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_mail_search() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __helix_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    run|save|saved|delete)
        # Offer subcommand argument completions
        "_helix_mail_search_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'run save saved delete' -- "${cur}"))
        ;;
    esac
}

_helix_mail_search_run() {
    repeating_flags=()
    non_repeating_flags=(--count --no-index --ids --reverse --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--by --format --sort --after --fields --columns --limit --color --tz)
    __helix_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--by')
        return
        ;;
    '--format')
        return
        ;;
    '--sort')
        return
        ;;
    '--after')
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail search run -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail search run -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail search run -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail search run -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_mail_search_save() {
    repeating_flags=()
    non_repeating_flags=(--dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--fields --columns --limit --color --tz)
    __helix_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail search save -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail search save -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail search save -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail search save -- positional@1 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_mail_search_saved() {
    repeating_flags=()
    non_repeating_flags=(--ids --reverse --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--format --sort --after --fields --columns --limit --color --tz)
    __helix_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--format')
        return
        ;;
    '--sort')
        return
        ;;
    '--after')
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail search saved -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail search saved -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail search saved -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_mail_search_delete() {
    repeating_flags=()
    non_repeating_flags=(--dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--fields --columns --limit --color --tz)
    __helix_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail search delete -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail search delete -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail search delete -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail search delete -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_mail_read() {
    repeating_flags=()
    non_repeating_flags=(--thread --headers --raw --html --quotes --keep-unread --no-index --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--part --width --skip --fields --columns --limit --color --tz)
    __helix_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--part')
        return
        ;;
    '--width')
        return
        ;;
    '--skip')
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail read -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail read -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail read -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail read -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_mail_open() {
    repeating_flags=()
    non_repeating_flags=(--no-index --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--with --link --fields --columns --limit --color --tz)
    __helix_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--with')
        return
        ;;
    '--link')
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail open -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail open -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail open -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail open -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_mail_thread() {
    repeating_flags=()
    non_repeating_flags=(--no-index --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--fields --columns --limit --color --tz)
    __helix_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail thread -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail thread -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail thread -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail thread -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_mail_new() {
    repeating_flags=()
    non_repeating_flags=(--markdown --signature --no-signature --sign --no-sign --encrypt --no-encrypt --edit --send --draft --no-index --dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=(--to --cc --bcc --attach -a)
    non_repeating_options=(--subject -s --body -b --template --from --security --at --remind-if-no-answer --account --fields --columns --limit --color --tz)
    __helix_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--to')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail new -- --to "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--cc')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail new -- --cc "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--bcc')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail new -- --bcc "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--subject'|'-s')
        return
        ;;
    '--body'|'-b')
        return
        ;;
    '--attach'|'-a')
        __helix_add_completions -f
        return
        ;;
    '--template')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail new -- --template "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--from')
        return
        ;;
    '--security')
        __helix_add_completions -W 'openpgp'$'\n''smime'
        return
        ;;
    '--at')
        return
        ;;
    '--remind-if-no-answer')
        return
        ;;
    '--account')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail new -- --account "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail new -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail new -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail new -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_mail_reply() {
    repeating_flags=()
    non_repeating_flags=(--list --no-quote --suggest --markdown --signature --no-signature --sign --no-sign --encrypt --no-encrypt --edit --send --draft --no-index --dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=(--to --cc --bcc --attach -a)
    non_repeating_options=(--subject -s --body -b --template --from --security --at --remind-if-no-answer --fields --columns --limit --color --tz)
    __helix_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--to')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail reply -- --to "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--cc')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail reply -- --cc "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--bcc')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail reply -- --bcc "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--subject'|'-s')
        return
        ;;
    '--body'|'-b')
        return
        ;;
    '--attach'|'-a')
        __helix_add_completions -f
        return
        ;;
    '--template')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail reply -- --template "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--from')
        return
        ;;
    '--security')
        __helix_add_completions -W 'openpgp'$'\n''smime'
        return
        ;;
    '--at')
        return
        ;;
    '--remind-if-no-answer')
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail reply -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail reply -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail reply -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail reply -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_mail_reply-all() {
    repeating_flags=()
    non_repeating_flags=(--no-quote --markdown --signature --no-signature --sign --no-sign --encrypt --no-encrypt --edit --send --draft --no-index --dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=(--to --cc --bcc --attach -a)
    non_repeating_options=(--subject -s --body -b --template --from --security --at --remind-if-no-answer --fields --columns --limit --color --tz)
    __helix_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--to')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail reply-all -- --to "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--cc')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail reply-all -- --cc "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--bcc')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail reply-all -- --bcc "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--subject'|'-s')
        return
        ;;
    '--body'|'-b')
        return
        ;;
    '--attach'|'-a')
        __helix_add_completions -f
        return
        ;;
    '--template')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail reply-all -- --template "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--from')
        return
        ;;
    '--security')
        __helix_add_completions -W 'openpgp'$'\n''smime'
        return
        ;;
    '--at')
        return
        ;;
    '--remind-if-no-answer')
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail reply-all -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail reply-all -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail reply-all -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail reply-all -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_mail_forward() {
    repeating_flags=()
    non_repeating_flags=(--as-attachment --markdown --signature --no-signature --sign --no-sign --encrypt --no-encrypt --edit --send --draft --no-index --dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=(--to --cc --bcc --attach -a)
    non_repeating_options=(--subject -s --body -b --template --from --security --at --remind-if-no-answer --fields --columns --limit --color --tz)
    __helix_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--to')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail forward -- --to "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--cc')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail forward -- --cc "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--bcc')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail forward -- --bcc "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--subject'|'-s')
        return
        ;;
    '--body'|'-b')
        return
        ;;
    '--attach'|'-a')
        __helix_add_completions -f
        return
        ;;
    '--template')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail forward -- --template "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--from')
        return
        ;;
    '--security')
        __helix_add_completions -W 'openpgp'$'\n''smime'
        return
        ;;
    '--at')
        return
        ;;
    '--remind-if-no-answer')
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail forward -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail forward -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail forward -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail forward -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_mail_bounce() {
    repeating_flags=()
    non_repeating_flags=(--no-index --dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=(--to)
    non_repeating_options=(--from --at --fields --columns --limit --color --tz)
    __helix_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--to')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail bounce -- --to "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--from')
        return
        ;;
    '--at')
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail bounce -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail bounce -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail bounce -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail bounce -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_mail_resend() {
    repeating_flags=()
    non_repeating_flags=(--markdown --signature --no-signature --sign --no-sign --encrypt --no-encrypt --edit --send --draft --no-index --dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=(--to --cc --bcc --attach -a)
    non_repeating_options=(--subject -s --body -b --template --from --security --at --remind-if-no-answer --fields --columns --limit --color --tz)
    __helix_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--to')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail resend -- --to "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--cc')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail resend -- --cc "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--bcc')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail resend -- --bcc "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--subject'|'-s')
        return
        ;;
    '--body'|'-b')
        return
        ;;
    '--attach'|'-a')
        __helix_add_completions -f
        return
        ;;
    '--template')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail resend -- --template "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--from')
        return
        ;;
    '--security')
        __helix_add_completions -W 'openpgp'$'\n''smime'
        return
        ;;
    '--at')
        return
        ;;
    '--remind-if-no-answer')
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail resend -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail resend -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail resend -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail resend -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_mail_templates() {
    repeating_flags=()
    non_repeating_flags=(--ids --reverse --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--format --sort --after --fields --columns --limit --color --tz)
    __helix_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--format')
        return
        ;;
    '--sort')
        return
        ;;
    '--after')
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail templates -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail templates -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail templates -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_mail_drafts() {
    repeating_flags=()
    non_repeating_flags=(--no-index --ids --reverse --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--format --sort --after --fields --columns --limit --color --tz)
    __helix_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--format')
        return
        ;;
    '--sort')
        return
        ;;
    '--after')
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail drafts -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail drafts -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail drafts -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_mail_edit() {
    repeating_flags=()
    non_repeating_flags=(--markdown --signature --no-signature --sign --no-sign --encrypt --no-encrypt --edit --send --draft --no-index --dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=(--to --cc --bcc --attach -a)
    non_repeating_options=(--improve --subject -s --body -b --template --from --security --at --remind-if-no-answer --fields --columns --limit --color --tz)
    __helix_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--improve')
        __helix_add_completions -W 'shorter'$'\n''friendlier'$'\n''formal'$'\n''fix'
        return
        ;;
    '--to')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail edit -- --to "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--cc')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail edit -- --cc "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--bcc')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail edit -- --bcc "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--subject'|'-s')
        return
        ;;
    '--body'|'-b')
        return
        ;;
    '--attach'|'-a')
        __helix_add_completions -f
        return
        ;;
    '--template')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail edit -- --template "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--from')
        return
        ;;
    '--security')
        __helix_add_completions -W 'openpgp'$'\n''smime'
        return
        ;;
    '--at')
        return
        ;;
    '--remind-if-no-answer')
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail edit -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail edit -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail edit -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail edit -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_mail_send() {
    repeating_flags=()
    non_repeating_flags=(--now --no-index --dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--at --remind-if-no-answer --fields --columns --limit --color --tz)
    __helix_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--at')
        return
        ;;
    '--remind-if-no-answer')
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail send -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail send -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail send -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail send -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_mail_discard() {
    repeating_flags=()
    non_repeating_flags=(--no-index --dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--fields --columns --limit --color --tz)
    __helix_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail discard -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail discard -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail discard -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail discard -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_mail_mark() {
    repeating_flags=()
    non_repeating_flags=(--dry-run --no-index --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--query -q --fields --columns --limit --color --tz)
    __helix_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--query'|'-q')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail mark -- --query "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail mark -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail mark -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail mark -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __helix_add_completions -W 'read'$'\n''unread'$'\n''starred'$'\n''unstarred'$'\n''answered'$'\n''unanswered'
        return
        ;;
    *)
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail mark -- positional@1 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_mail_label() {
    repeating_flags=()
    non_repeating_flags=(--dry-run --no-index --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--query -q --fields --columns --limit --color --tz)
    __helix_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--query'|'-q')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail label -- --query "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail label -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail label -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail label -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail label -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_mail_move() {
    repeating_flags=()
    non_repeating_flags=(--dry-run --create --no-index --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--query -q --to --fields --columns --limit --color --tz)
    __helix_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--query'|'-q')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail move -- --query "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--to')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail move -- --to "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail move -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail move -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail move -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail move -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_mail_archive() {
    repeating_flags=()
    non_repeating_flags=(--dry-run --no-index --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--query -q --fields --columns --limit --color --tz)
    __helix_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--query'|'-q')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail archive -- --query "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail archive -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail archive -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail archive -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail archive -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_mail_snooze() {
    repeating_flags=()
    non_repeating_flags=(--dry-run --no-index --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--query -q --fields --columns --limit --color --tz)
    __helix_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--query'|'-q')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail snooze -- --query "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail snooze -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail snooze -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail snooze -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail snooze -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_mail_follow-up() {
    repeating_flags=()
    non_repeating_flags=(--dry-run --no-index --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--fields --columns --limit --color --tz)
    __helix_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail follow-up -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail follow-up -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail follow-up -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail follow-up -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_mail_mute() {
    repeating_flags=()
    non_repeating_flags=(--dry-run --off --no-index --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--query -q --fields --columns --limit --color --tz)
    __helix_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--query'|'-q')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail mute -- --query "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail mute -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail mute -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail mute -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail mute -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_mail_unsubscribe() {
    repeating_flags=()
    non_repeating_flags=(--yes -y --dry-run --no-index --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--fields --columns --limit --color --tz)
    __helix_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail unsubscribe -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail unsubscribe -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail unsubscribe -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail unsubscribe -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_mail_rules() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __helix_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    list|add|edit|move|delete|run|script|upload|server|remove)
        # Offer subcommand argument completions
        "_helix_mail_rules_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'list add edit move delete run script upload server remove' -- "${cur}"))
        ;;
    esac
}

_helix_mail_rules_list() {
    repeating_flags=()
    non_repeating_flags=(--ids --reverse --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--format --sort --after --fields --columns --limit --color --tz)
    __helix_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--format')
        return
        ;;
    '--sort')
        return
        ;;
    '--after')
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail rules list -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail rules list -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail rules list -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_mail_rules_add() {
    repeating_flags=()
    non_repeating_flags=(--archive --trash --mute --stop --dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=(--label --unlabel --mark)
    non_repeating_options=(--move --snooze --task --before --fields --columns --limit --color --tz)
    __helix_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--label')
        return
        ;;
    '--unlabel')
        return
        ;;
    '--move')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail rules add -- --move "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--mark')
        __helix_add_completions -W 'read'$'\n''starred'
        return
        ;;
    '--snooze')
        return
        ;;
    '--task')
        return
        ;;
    '--before')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail rules add -- --before "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail rules add -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail rules add -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail rules add -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail rules add -- positional@1 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_mail_rules_edit() {
    repeating_flags=()
    non_repeating_flags=(--archive --trash --mute --stop --no-stop --on --off --dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=(--label --unlabel --mark)
    non_repeating_options=(--name --query -q --move --snooze --task --fields --columns --limit --color --tz)
    __helix_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--name')
        return
        ;;
    '--query'|'-q')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail rules edit -- --query "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--label')
        return
        ;;
    '--unlabel')
        return
        ;;
    '--move')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail rules edit -- --move "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--mark')
        __helix_add_completions -W 'read'$'\n''starred'
        return
        ;;
    '--snooze')
        return
        ;;
    '--task')
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail rules edit -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail rules edit -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail rules edit -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail rules edit -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_mail_rules_move() {
    repeating_flags=()
    non_repeating_flags=(--last --dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--before --fields --columns --limit --color --tz)
    __helix_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--before')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail rules move -- --before "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail rules move -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail rules move -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail rules move -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail rules move -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_mail_rules_delete() {
    repeating_flags=()
    non_repeating_flags=(--dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--fields --columns --limit --color --tz)
    __helix_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail rules delete -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail rules delete -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail rules delete -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail rules delete -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_mail_rules_run() {
    repeating_flags=()
    non_repeating_flags=(--no-index --dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=(--only)
    non_repeating_options=(--fields --columns --limit --color --tz)
    __helix_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--only')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail rules run -- --only "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail rules run -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail rules run -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail rules run -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail rules run -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_mail_rules_script() {
    repeating_flags=()
    non_repeating_flags=(--json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--account --fields --columns --limit --color --tz)
    __helix_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--account')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail rules script -- --account "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail rules script -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail rules script -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail rules script -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_mail_rules_upload() {
    repeating_flags=()
    non_repeating_flags=(--include --replace --dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--account --fields --columns --limit --color --tz)
    __helix_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--account')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail rules upload -- --account "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail rules upload -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail rules upload -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail rules upload -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_mail_rules_server() {
    repeating_flags=()
    non_repeating_flags=(--json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--account --fields --columns --limit --color --tz)
    __helix_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--account')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail rules server -- --account "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail rules server -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail rules server -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail rules server -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_mail_rules_remove() {
    repeating_flags=()
    non_repeating_flags=(--dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--account --fields --columns --limit --color --tz)
    __helix_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--account')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail rules remove -- --account "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail rules remove -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail rules remove -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail rules remove -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_mail_vacation() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __helix_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    show|set|off)
        # Offer subcommand argument completions
        "_helix_mail_vacation_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'show set off' -- "${cur}"))
        ;;
    esac
}

_helix_mail_vacation_show() {
    repeating_flags=()
    non_repeating_flags=(--ids --reverse --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--format --sort --after --fields --columns --limit --color --tz)
    __helix_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--format')
        return
        ;;
    '--sort')
        return
        ;;
    '--after')
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail vacation show -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail vacation show -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail vacation show -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_mail_vacation_set() {
    repeating_flags=()
    non_repeating_flags=(--include --replace --dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--subject --from --until --days --account --fields --columns --limit --color --tz)
    __helix_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--subject')
        return
        ;;
    '--from')
        return
        ;;
    '--until')
        return
        ;;
    '--days')
        return
        ;;
    '--account')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail vacation set -- --account "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail vacation set -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail vacation set -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail vacation set -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_mail_vacation_off() {
    repeating_flags=()
    non_repeating_flags=(--dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--account --fields --columns --limit --color --tz)
    __helix_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--account')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail vacation off -- --account "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail vacation off -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail vacation off -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail vacation off -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_mail_trash() {
    repeating_flags=()
    non_repeating_flags=(--dry-run --no-index --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--query -q --fields --columns --limit --color --tz)
    __helix_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--query'|'-q')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail trash -- --query "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail trash -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail trash -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail trash -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail trash -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_mail_delete() {
    repeating_flags=()
    non_repeating_flags=(--dry-run --yes -y --no-index --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--query -q --fields --columns --limit --color --tz)
    __helix_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--query'|'-q')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail delete -- --query "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail delete -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail delete -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail delete -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail delete -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_mail_mailboxes() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __helix_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    list|add|rename|delete)
        # Offer subcommand argument completions
        "_helix_mail_mailboxes_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'list add rename delete' -- "${cur}"))
        ;;
    esac
}

_helix_mail_mailboxes_list() {
    repeating_flags=()
    non_repeating_flags=(--no-index --ids --reverse --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--format --sort --after --fields --columns --limit --color --tz)
    __helix_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--format')
        return
        ;;
    '--sort')
        return
        ;;
    '--after')
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail mailboxes list -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail mailboxes list -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail mailboxes list -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_mail_mailboxes_add() {
    repeating_flags=()
    non_repeating_flags=(--no-index --dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--account --fields --columns --limit --color --tz)
    __helix_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--account')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail mailboxes add -- --account "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail mailboxes add -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail mailboxes add -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail mailboxes add -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_mail_mailboxes_rename() {
    repeating_flags=()
    non_repeating_flags=(--no-index --dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--account --fields --columns --limit --color --tz)
    __helix_offer_flags_options 2

    # Offer option value completions
    case "${prev}" in
    '--account')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail mailboxes rename -- --account "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail mailboxes rename -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail mailboxes rename -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail mailboxes rename -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail mailboxes rename -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_mail_mailboxes_delete() {
    repeating_flags=()
    non_repeating_flags=(--no-index --dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--account --fields --columns --limit --color --tz)
    __helix_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--account')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail mailboxes delete -- --account "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail mailboxes delete -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail mailboxes delete -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail mailboxes delete -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail mailboxes delete -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_mail_attachments() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __helix_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    list|save|open)
        # Offer subcommand argument completions
        "_helix_mail_attachments_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'list save open' -- "${cur}"))
        ;;
    esac
}

_helix_mail_attachments_list() {
    repeating_flags=()
    non_repeating_flags=(--no-index --ids --reverse --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--format --sort --after --fields --columns --limit --color --tz)
    __helix_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--format')
        return
        ;;
    '--sort')
        return
        ;;
    '--after')
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail attachments list -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail attachments list -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail attachments list -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail attachments list -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_mail_attachments_save() {
    repeating_flags=()
    non_repeating_flags=(--force --no-index --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--to --fields --columns --limit --color --tz)
    __helix_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--to')
        __helix_add_completions -d
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail attachments save -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail attachments save -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail attachments save -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail attachments save -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_mail_attachments_open() {
    repeating_flags=()
    non_repeating_flags=(--no-index --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--with --fields --columns --limit --color --tz)
    __helix_offer_flags_options 2

    # Offer option value completions
    case "${prev}" in
    '--with')
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail attachments open -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail attachments open -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail attachments open -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail attachments open -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_mail_import() {
    repeating_flags=()
    non_repeating_flags=(--create --dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--account --mailbox -m --fields --columns --limit --color --tz)
    __helix_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--account')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail import -- --account "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--mailbox'|'-m')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail import -- --mailbox "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail import -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail import -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail import -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __helix_add_completions -f
        return
        ;;
    esac
}

_helix_mail_export() {
    repeating_flags=()
    non_repeating_flags=(--no-index --force --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--query -q --format -o --output --out --fields --columns --limit --color --tz)
    __helix_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--query'|'-q')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail export -- --query "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--format')
        __helix_add_completions -W 'mbox'$'\n''maildir'$'\n''eml'
        return
        ;;
    '-o'|'--output'|'--out')
        __helix_add_completions -f
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail export -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail export -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail export -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail export -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_mail_index() {
    repeating_flags=()
    non_repeating_flags=(--full --attachments --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--account --fields --columns --limit --color --tz)
    __helix_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--account')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail index -- --account "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail index -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail index -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail index -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_mail_people() {
    repeating_flags=()
    non_repeating_flags=(--no-index --ids --reverse --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--format --sort --after --fields --columns --limit --color --tz)
    __helix_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--format')
        return
        ;;
    '--sort')
        return
        ;;
    '--after')
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail people -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail people -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail people -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_mail_verify() {
    repeating_flags=()
    non_repeating_flags=(--no-index --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--fields --columns --limit --color --tz)
    __helix_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail verify -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail verify -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail verify -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail verify -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_mail_keys() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __helix_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    list|import|export|fetch)
        # Offer subcommand argument completions
        "_helix_mail_keys_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'list import export fetch' -- "${cur}"))
        ;;
    esac
}

_helix_mail_keys_list() {
    repeating_flags=()
    non_repeating_flags=(--no-index --ids --reverse --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--format --sort --after --fields --columns --limit --color --tz)
    __helix_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--format')
        return
        ;;
    '--sort')
        return
        ;;
    '--after')
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail keys list -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail keys list -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail keys list -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_mail_keys_import() {
    repeating_flags=()
    non_repeating_flags=(--dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--message --fields --columns --limit --color --tz)
    __helix_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--message')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail keys import -- --message "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail keys import -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail keys import -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail keys import -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __helix_add_completions -f
        return
        ;;
    esac
}

_helix_mail_keys_export() {
    repeating_flags=()
    non_repeating_flags=(--json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--fields --columns --limit --color --tz)
    __helix_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail keys export -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail keys export -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail keys export -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_mail_keys_fetch() {
    repeating_flags=()
    non_repeating_flags=(--dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--fields --columns --limit --color --tz)
    __helix_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail keys fetch -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail keys fetch -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail keys fetch -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail keys fetch -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_mail_stats() {
    repeating_flags=()
    non_repeating_flags=(--no-index --chart --force --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--from --to --top -o --output --fields --columns --limit --color --tz)
    __helix_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--from')
        return
        ;;
    '--to')
        return
        ;;
    '--top')
        return
        ;;
    '-o'|'--output')
        __helix_add_completions -f
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail stats -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail stats -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail stats -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_mail_summarize() {
    repeating_flags=()
    non_repeating_flags=(--thread --again --no-index --dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--fields --columns --limit --color --tz)
    __helix_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail summarize -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail summarize -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail summarize -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail summarize -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_mail_draft() {
    repeating_flags=()
    non_repeating_flags=(--markdown --signature --no-signature --sign --no-sign --encrypt --no-encrypt --edit --no-index --dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=(--to --cc --bcc --attach -a)
    non_repeating_options=(--subject -s --body -b --template --from --security --fields --columns --limit --color --tz)
    __helix_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--to')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail draft -- --to "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--cc')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail draft -- --cc "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--bcc')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail draft -- --bcc "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--subject'|'-s')
        return
        ;;
    '--body'|'-b')
        return
        ;;
    '--attach'|'-a')
        __helix_add_completions -f
        return
        ;;
    '--template')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail draft -- --template "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--from')
        return
        ;;
    '--security')
        __helix_add_completions -W 'openpgp'$'\n''smime'
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail draft -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail draft -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail draft -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_mail_triage() {
    repeating_flags=()
    non_repeating_flags=(--again --no-index --dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--most --fields --columns --limit --color --tz)
    __helix_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--most')
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail triage -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail triage -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail triage -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __helix_add_completions -W "$(__helix_custom_complete ---completion mail triage -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_tasks() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __helix_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    board|add|list|next|show|edit|done|reopen|drop|delete|move|start|stop|schedule|depend|undepend|search|stats|import|export|columns|boards|view)
        # Offer subcommand argument completions
        "_helix_tasks_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'board add list next show edit done reopen drop delete move start stop schedule depend undepend search stats import export columns boards view' -- "${cur}"))
        ;;
    esac
}

_helix_tasks_board() {
    repeating_flags=()
    non_repeating_flags=(--watch --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--board --group-by --width --done --fields --columns --limit --color --tz)
    __helix_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--board')
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks board -- --board "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--group-by')
        __helix_add_completions -W 'project'$'\n''priority'$'\n''assignee'$'\n''tag'$'\n''due'
        return
        ;;
    '--width')
        return
        ;;
    '--done')
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks board -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks board -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks board -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks board -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_tasks_add() {
    repeating_flags=()
    non_repeating_flags=(--info --dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=(--tag --depends --step)
    non_repeating_options=(--title --from-mail --from-chat --notes -p --project --block --priority --due --scheduled --wait --estimate --board --column --parent --assignee --repeat --fields --columns --limit --color --tz)
    __helix_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--title')
        return
        ;;
    '--from-mail')
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks add -- --from-mail "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--from-chat')
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks add -- --from-chat "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--notes')
        return
        ;;
    '-p'|'--project')
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks add -- --project "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--block')
        return
        ;;
    '--priority')
        return
        ;;
    '--due')
        return
        ;;
    '--scheduled')
        return
        ;;
    '--wait')
        return
        ;;
    '--estimate')
        return
        ;;
    '--tag')
        return
        ;;
    '--board')
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks add -- --board "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--column')
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks add -- --column "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--parent')
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks add -- --parent "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--assignee')
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks add -- --assignee "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--repeat')
        __helix_add_completions -W 'daily'$'\n''weekdays'$'\n''weekly'$'\n''every 2 weeks'$'\n''monthly'$'\n''last fri of the month'$'\n''yearly'$'\n''never'$'\n''2 weeks after done'
        return
        ;;
    '--depends')
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks add -- --depends "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--step')
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks add -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks add -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks add -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_tasks_list() {
    repeating_flags=()
    non_repeating_flags=(--count --ids --reverse --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--format --sort --after --fields --columns --limit --color --tz)
    __helix_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--format')
        return
        ;;
    '--sort')
        return
        ;;
    '--after')
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks list -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks list -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks list -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks list -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_tasks_next() {
    repeating_flags=()
    non_repeating_flags=(--why --ids --reverse --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--format --sort --after --fields --columns --limit --color --tz)
    __helix_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--format')
        return
        ;;
    '--sort')
        return
        ;;
    '--after')
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks next -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks next -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks next -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks next -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_tasks_show() {
    repeating_flags=()
    non_repeating_flags=(--json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--fields --columns --limit --color --tz)
    __helix_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks show -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks show -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks show -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks show -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_tasks_edit() {
    repeating_flags=()
    non_repeating_flags=(--info --dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=(--tag --depends --step --check --uncheck --remove-step)
    non_repeating_options=(--title --notes -p --project --block --priority --due --scheduled --wait --estimate --board --column --parent --assignee --repeat --fields --columns --limit --color --tz)
    __helix_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--title')
        return
        ;;
    '--notes')
        return
        ;;
    '-p'|'--project')
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks edit -- --project "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--block')
        return
        ;;
    '--priority')
        return
        ;;
    '--due')
        return
        ;;
    '--scheduled')
        return
        ;;
    '--wait')
        return
        ;;
    '--estimate')
        return
        ;;
    '--tag')
        return
        ;;
    '--board')
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks edit -- --board "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--column')
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks edit -- --column "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--parent')
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks edit -- --parent "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--assignee')
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks edit -- --assignee "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--repeat')
        __helix_add_completions -W 'daily'$'\n''weekdays'$'\n''weekly'$'\n''every 2 weeks'$'\n''monthly'$'\n''last fri of the month'$'\n''yearly'$'\n''never'$'\n''2 weeks after done'
        return
        ;;
    '--depends')
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks edit -- --depends "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--step')
        return
        ;;
    '--check')
        return
        ;;
    '--uncheck')
        return
        ;;
    '--remove-step')
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks edit -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks edit -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks edit -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks edit -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_tasks_done() {
    repeating_flags=()
    non_repeating_flags=(--dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--at --on-blocked --fields --columns --limit --color --tz)
    __helix_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--at')
        return
        ;;
    '--on-blocked')
        __helix_add_completions -W 'warn'$'\n''fail'
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks done -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks done -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks done -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks done -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_tasks_reopen() {
    repeating_flags=()
    non_repeating_flags=(--dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--fields --columns --limit --color --tz)
    __helix_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks reopen -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks reopen -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks reopen -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_tasks_drop() {
    repeating_flags=()
    non_repeating_flags=(--dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--fields --columns --limit --color --tz)
    __helix_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks drop -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks drop -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks drop -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks drop -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_tasks_delete() {
    repeating_flags=()
    non_repeating_flags=(--yes -y --dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--fields --columns --limit --color --tz)
    __helix_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks delete -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks delete -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks delete -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks delete -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_tasks_move() {
    repeating_flags=()
    non_repeating_flags=(--next --prev --first --last --over-limit --dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--before --after --on-blocked --fields --columns --limit --color --tz)
    __helix_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--before')
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks move -- --before "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--after')
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks move -- --after "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--on-blocked')
        __helix_add_completions -W 'warn'$'\n''fail'
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks move -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks move -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks move -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks move -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_tasks_start() {
    repeating_flags=()
    non_repeating_flags=(--billable --no-billable --adjust --dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=(--tag)
    non_repeating_options=(--at --on-blocked -p --project --note --fields --columns --limit --color --tz)
    __helix_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--at')
        return
        ;;
    '--on-blocked')
        __helix_add_completions -W 'warn'$'\n''fail'
        return
        ;;
    '-p'|'--project')
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks start -- --project "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--tag')
        return
        ;;
    '--note')
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks start -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks start -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks start -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks start -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_tasks_stop() {
    repeating_flags=()
    non_repeating_flags=(--dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--at --fields --columns --limit --color --tz)
    __helix_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--at')
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks stop -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks stop -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks stop -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_tasks_schedule() {
    repeating_flags=()
    non_repeating_flags=(--again --dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--duration --pieces --from --hours -c --calendar --fields --columns --limit --color --tz)
    __helix_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--duration')
        return
        ;;
    '--pieces')
        return
        ;;
    '--from')
        return
        ;;
    '--hours')
        return
        ;;
    '-c'|'--calendar')
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks schedule -- --calendar "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks schedule -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks schedule -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks schedule -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks schedule -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_tasks_depend() {
    repeating_flags=()
    non_repeating_flags=(--graph --dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--kind --fields --columns --limit --color --tz)
    __helix_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--kind')
        __helix_add_completions -W 'blocking'$'\n''related'$'\n''duplicate'
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks depend -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks depend -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks depend -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks depend -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_tasks_undepend() {
    repeating_flags=()
    non_repeating_flags=(--all --dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--fields --columns --limit --color --tz)
    __helix_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks undepend -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks undepend -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks undepend -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks undepend -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_tasks_search() {
    repeating_flags=()
    non_repeating_flags=(--ids --reverse --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--format --sort --after --fields --columns --limit --color --tz)
    __helix_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--format')
        return
        ;;
    '--sort')
        return
        ;;
    '--after')
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks search -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks search -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks search -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks search -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_tasks_stats() {
    repeating_flags=()
    non_repeating_flags=(--chart --force --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--board --weeks -o --output --fields --columns --limit --color --tz)
    __helix_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--board')
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks stats -- --board "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--weeks')
        return
        ;;
    '-o'|'--output')
        __helix_add_completions -f
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks stats -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks stats -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks stats -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks stats -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_tasks_import() {
    repeating_flags=()
    non_repeating_flags=(--dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--format --board --fields --columns --limit --color --tz)
    __helix_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--format')
        __helix_add_completions -W 'taskwarrior'$'\n''todotxt'$'\n''ics'$'\n''markdown'$'\n''csv'$'\n''todoist'$'\n''google'$'\n''org'$'\n''calcurse'
        return
        ;;
    '--board')
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks import -- --board "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks import -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks import -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks import -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __helix_add_completions -f
        return
        ;;
    esac
}

_helix_tasks_export() {
    repeating_flags=()
    non_repeating_flags=(--check --no-check --force --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--format -o --output --out --fields --columns --limit --color --tz)
    __helix_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--format')
        __helix_add_completions -W 'taskwarrior'$'\n''todotxt'$'\n''ics'$'\n''markdown'$'\n''csv'
        return
        ;;
    '-o'|'--output'|'--out')
        __helix_add_completions -f
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks export -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks export -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks export -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks export -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_tasks_columns() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __helix_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    list|add|edit|delete)
        # Offer subcommand argument completions
        "_helix_tasks_columns_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'list add edit delete' -- "${cur}"))
        ;;
    esac
}

_helix_tasks_columns_list() {
    repeating_flags=()
    non_repeating_flags=(--ids --reverse --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--board --format --sort --after --fields --columns --limit --color --tz)
    __helix_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--board')
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks columns list -- --board "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--format')
        return
        ;;
    '--sort')
        return
        ;;
    '--after')
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks columns list -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks columns list -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks columns list -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_tasks_columns_add() {
    repeating_flags=()
    non_repeating_flags=(--done --dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--limit-to --before --board --fields --columns --limit --color --tz)
    __helix_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--limit-to')
        return
        ;;
    '--before')
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks columns add -- --before "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--board')
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks columns add -- --board "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks columns add -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks columns add -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks columns add -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_tasks_columns_edit() {
    repeating_flags=()
    non_repeating_flags=(--no-limit --done --no-done --dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--rename --limit-to --position --board --fields --columns --limit --color --tz)
    __helix_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--rename')
        return
        ;;
    '--limit-to')
        return
        ;;
    '--position')
        return
        ;;
    '--board')
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks columns edit -- --board "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks columns edit -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks columns edit -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks columns edit -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks columns edit -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_tasks_columns_delete() {
    repeating_flags=()
    non_repeating_flags=(--dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--board --fields --columns --limit --color --tz)
    __helix_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--board')
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks columns delete -- --board "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks columns delete -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks columns delete -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks columns delete -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks columns delete -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_tasks_boards() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __helix_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    list|add|rename|delete|default)
        # Offer subcommand argument completions
        "_helix_tasks_boards_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'list add rename delete default' -- "${cur}"))
        ;;
    esac
}

_helix_tasks_boards_list() {
    repeating_flags=()
    non_repeating_flags=(--ids --reverse --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--format --sort --after --fields --columns --limit --color --tz)
    __helix_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--format')
        return
        ;;
    '--sort')
        return
        ;;
    '--after')
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks boards list -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks boards list -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks boards list -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_tasks_boards_add() {
    repeating_flags=()
    non_repeating_flags=(--dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--account --fields --columns --limit --color --tz)
    __helix_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--account')
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks boards add -- --account "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks boards add -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks boards add -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks boards add -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_tasks_boards_rename() {
    repeating_flags=()
    non_repeating_flags=(--dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--fields --columns --limit --color --tz)
    __helix_offer_flags_options 2

    # Offer option value completions
    case "${prev}" in
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks boards rename -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks boards rename -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks boards rename -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks boards rename -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_tasks_boards_delete() {
    repeating_flags=()
    non_repeating_flags=(--dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--fields --columns --limit --color --tz)
    __helix_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks boards delete -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks boards delete -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks boards delete -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks boards delete -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_tasks_boards_default() {
    repeating_flags=()
    non_repeating_flags=(--dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--fields --columns --limit --color --tz)
    __helix_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks boards default -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks boards default -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks boards default -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks boards default -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_tasks_view() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __helix_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    list|save|delete)
        # Offer subcommand argument completions
        "_helix_tasks_view_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'list save delete' -- "${cur}"))
        ;;
    esac
}

_helix_tasks_view_list() {
    repeating_flags=()
    non_repeating_flags=(--ids --reverse --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--format --sort --after --fields --columns --limit --color --tz)
    __helix_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--format')
        return
        ;;
    '--sort')
        return
        ;;
    '--after')
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks view list -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks view list -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks view list -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_tasks_view_save() {
    repeating_flags=()
    non_repeating_flags=(--dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--fields --columns --limit --color --tz)
    __helix_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks view save -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks view save -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks view save -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_tasks_view_delete() {
    repeating_flags=()
    non_repeating_flags=(--dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--fields --columns --limit --color --tz)
    __helix_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks view delete -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks view delete -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks view delete -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __helix_add_completions -W "$(__helix_custom_complete ---completion tasks view delete -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_time() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __helix_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    start|stop|status|switch|resume|cancel|break|add|edit|split|join|move|delete|log|gaps|report|chart|propose|import|export)
        # Offer subcommand argument completions
        "_helix_time_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'start stop status switch resume cancel break add edit split join move delete log gaps report chart propose import export' -- "${cur}"))
        ;;
    esac
}

_helix_time_start() {
    repeating_flags=()
    non_repeating_flags=(--billable --no-billable --adjust --dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=(--tag)
    non_repeating_options=(--at -p --project --note --fields --columns --limit --color --tz)
    __helix_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--at')
        return
        ;;
    '-p'|'--project')
        __helix_add_completions -W "$(__helix_custom_complete ---completion time start -- --project "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--tag')
        return
        ;;
    '--note')
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion time start -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion time start -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion time start -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __helix_add_completions -W "$(__helix_custom_complete ---completion time start -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_time_stop() {
    repeating_flags=()
    non_repeating_flags=(--dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--at --fields --columns --limit --color --tz)
    __helix_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--at')
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion time stop -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion time stop -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion time stop -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_time_status() {
    repeating_flags=()
    non_repeating_flags=(--json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--fields --columns --limit --color --tz)
    __helix_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion time status -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion time status -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion time status -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_time_switch() {
    repeating_flags=()
    non_repeating_flags=(--billable --no-billable --adjust --dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=(--tag)
    non_repeating_options=(--at -p --project --note --fields --columns --limit --color --tz)
    __helix_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--at')
        return
        ;;
    '-p'|'--project')
        __helix_add_completions -W "$(__helix_custom_complete ---completion time switch -- --project "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--tag')
        return
        ;;
    '--note')
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion time switch -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion time switch -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion time switch -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __helix_add_completions -W "$(__helix_custom_complete ---completion time switch -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_time_resume() {
    repeating_flags=()
    non_repeating_flags=(--dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--at --fields --columns --limit --color --tz)
    __helix_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--at')
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion time resume -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion time resume -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion time resume -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __helix_add_completions -W "$(__helix_custom_complete ---completion time resume -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_time_cancel() {
    repeating_flags=()
    non_repeating_flags=(--dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--fields --columns --limit --color --tz)
    __helix_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion time cancel -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion time cancel -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion time cancel -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_time_break() {
    repeating_flags=()
    non_repeating_flags=(--dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--fields --columns --limit --color --tz)
    __helix_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion time break -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion time break -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion time break -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_time_add() {
    repeating_flags=()
    non_repeating_flags=(--planned --billable --no-billable --adjust --dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=(--tag)
    non_repeating_options=(--title -p --project --note --fields --columns --limit --color --tz)
    __helix_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--title')
        return
        ;;
    '-p'|'--project')
        __helix_add_completions -W "$(__helix_custom_complete ---completion time add -- --project "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--tag')
        return
        ;;
    '--note')
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion time add -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion time add -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion time add -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_time_edit() {
    repeating_flags=()
    non_repeating_flags=(--billable --no-billable --adjust --dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=(--tag)
    non_repeating_options=(--where --title --start --end --duration -p --project --note --fields --columns --limit --color --tz)
    __helix_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--where')
        __helix_add_completions -W "$(__helix_custom_complete ---completion time edit -- --where "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--title')
        return
        ;;
    '--start')
        return
        ;;
    '--end')
        return
        ;;
    '--duration')
        return
        ;;
    '-p'|'--project')
        __helix_add_completions -W "$(__helix_custom_complete ---completion time edit -- --project "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--tag')
        return
        ;;
    '--note')
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion time edit -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion time edit -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion time edit -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __helix_add_completions -W "$(__helix_custom_complete ---completion time edit -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_time_split() {
    repeating_flags=()
    non_repeating_flags=(--dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--at --fields --columns --limit --color --tz)
    __helix_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--at')
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion time split -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion time split -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion time split -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __helix_add_completions -W "$(__helix_custom_complete ---completion time split -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_time_join() {
    repeating_flags=()
    non_repeating_flags=(--dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--fields --columns --limit --color --tz)
    __helix_offer_flags_options 2

    # Offer option value completions
    case "${prev}" in
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion time join -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion time join -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion time join -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __helix_add_completions -W "$(__helix_custom_complete ---completion time join -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    2)
        __helix_add_completions -W "$(__helix_custom_complete ---completion time join -- positional@1 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_time_move() {
    repeating_flags=()
    non_repeating_flags=(--adjust --dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--fields --columns --limit --color --tz)
    __helix_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion time move -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion time move -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion time move -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __helix_add_completions -W "$(__helix_custom_complete ---completion time move -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_time_delete() {
    repeating_flags=()
    non_repeating_flags=(--yes -y --dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--where --fields --columns --limit --color --tz)
    __helix_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--where')
        __helix_add_completions -W "$(__helix_custom_complete ---completion time delete -- --where "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion time delete -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion time delete -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion time delete -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __helix_add_completions -W "$(__helix_custom_complete ---completion time delete -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_time_log() {
    repeating_flags=()
    non_repeating_flags=(--ids --reverse --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--where --from --to --format --sort --after --fields --columns --limit --color --tz)
    __helix_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--where')
        __helix_add_completions -W "$(__helix_custom_complete ---completion time log -- --where "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--from')
        return
        ;;
    '--to')
        return
        ;;
    '--format')
        return
        ;;
    '--sort')
        return
        ;;
    '--after')
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion time log -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion time log -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion time log -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __helix_add_completions -W "$(__helix_custom_complete ---completion time log -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_time_gaps() {
    repeating_flags=()
    non_repeating_flags=(--ids --reverse --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--hours --least --from --to --format --sort --after --fields --columns --limit --color --tz)
    __helix_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--hours')
        return
        ;;
    '--least')
        return
        ;;
    '--from')
        return
        ;;
    '--to')
        return
        ;;
    '--format')
        return
        ;;
    '--sort')
        return
        ;;
    '--after')
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion time gaps -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion time gaps -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion time gaps -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_time_report() {
    repeating_flags=()
    non_repeating_flags=(--billable --csv --chart --force --ids --reverse --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--by --round --where --from --to -o --output --format --sort --after --fields --columns --limit --color --tz)
    __helix_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--by')
        __helix_add_completions -W 'day'$'\n''project'$'\n''task'$'\n''tag'$'\n''customer'
        return
        ;;
    '--round')
        return
        ;;
    '--where')
        __helix_add_completions -W "$(__helix_custom_complete ---completion time report -- --where "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--from')
        return
        ;;
    '--to')
        return
        ;;
    '-o'|'--output')
        __helix_add_completions -f
        return
        ;;
    '--format')
        return
        ;;
    '--sort')
        return
        ;;
    '--after')
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion time report -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion time report -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion time report -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __helix_add_completions -W "$(__helix_custom_complete ---completion time report -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_time_chart() {
    repeating_flags=()
    non_repeating_flags=(--json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--from --to --fields --columns --limit --color --tz)
    __helix_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--from')
        return
        ;;
    '--to')
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion time chart -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion time chart -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion time chart -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __helix_add_completions -W "$(__helix_custom_complete ---completion time chart -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_time_propose() {
    repeating_flags=()
    non_repeating_flags=(--billable --no-billable --adjust --dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=(--tag)
    non_repeating_options=(--accept -p --project --note --from --to --fields --columns --limit --color --tz)
    __helix_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--accept')
        return
        ;;
    '-p'|'--project')
        __helix_add_completions -W "$(__helix_custom_complete ---completion time propose -- --project "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--tag')
        return
        ;;
    '--note')
        return
        ;;
    '--from')
        return
        ;;
    '--to')
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion time propose -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion time propose -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion time propose -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_time_import() {
    repeating_flags=()
    non_repeating_flags=(--dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--dates --fields --columns --limit --color --tz)
    __helix_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--dates')
        __helix_add_completions -W 'dmy'$'\n''mdy'
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion time import -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion time import -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion time import -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __helix_add_completions -f
        return
        ;;
    esac
}

_helix_time_export() {
    repeating_flags=()
    non_repeating_flags=(--force --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--where --format -o --output --out --from --to --fields --columns --limit --color --tz)
    __helix_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--where')
        __helix_add_completions -W "$(__helix_custom_complete ---completion time export -- --where "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--format')
        __helix_add_completions -W 'timewarrior'$'\n''csv'$'\n''json'
        return
        ;;
    '-o'|'--output'|'--out')
        __helix_add_completions -f
        return
        ;;
    '--from')
        return
        ;;
    '--to')
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion time export -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion time export -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion time export -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __helix_add_completions -W "$(__helix_custom_complete ---completion time export -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_projects() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __helix_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    add|list|show|edit|start|complete|delete|report|gantt|burndown|material|blocks|attach|files|invoices)
        # Offer subcommand argument completions
        "_helix_projects_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'add list show edit start complete delete report gantt burndown material blocks attach files invoices' -- "${cur}"))
        ;;
    esac
}

_helix_projects_add() {
    repeating_flags=()
    non_repeating_flags=(--dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--customer --status --start --due --assignee --budget-hours --budget --rate --currency --notes --fields --columns --limit --color --tz)
    __helix_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--customer')
        return
        ;;
    '--status')
        return
        ;;
    '--start')
        return
        ;;
    '--due')
        return
        ;;
    '--assignee')
        return
        ;;
    '--budget-hours')
        return
        ;;
    '--budget')
        return
        ;;
    '--rate')
        return
        ;;
    '--currency')
        return
        ;;
    '--notes')
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion projects add -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion projects add -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion projects add -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_projects_list() {
    repeating_flags=()
    non_repeating_flags=(--all --ids --reverse --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--format --sort --after --fields --columns --limit --color --tz)
    __helix_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--format')
        return
        ;;
    '--sort')
        return
        ;;
    '--after')
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion projects list -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion projects list -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion projects list -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_projects_show() {
    repeating_flags=()
    non_repeating_flags=(--json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--fields --columns --limit --color --tz)
    __helix_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion projects show -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion projects show -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion projects show -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __helix_add_completions -W "$(__helix_custom_complete ---completion projects show -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_projects_edit() {
    repeating_flags=()
    non_repeating_flags=(--dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--rename --customer --status --start --due --assignee --budget-hours --budget --rate --currency --notes --fields --columns --limit --color --tz)
    __helix_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--rename')
        return
        ;;
    '--customer')
        return
        ;;
    '--status')
        return
        ;;
    '--start')
        return
        ;;
    '--due')
        return
        ;;
    '--assignee')
        return
        ;;
    '--budget-hours')
        return
        ;;
    '--budget')
        return
        ;;
    '--rate')
        return
        ;;
    '--currency')
        return
        ;;
    '--notes')
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion projects edit -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion projects edit -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion projects edit -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __helix_add_completions -W "$(__helix_custom_complete ---completion projects edit -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_projects_start() {
    repeating_flags=()
    non_repeating_flags=(--dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--fields --columns --limit --color --tz)
    __helix_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion projects start -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion projects start -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion projects start -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __helix_add_completions -W "$(__helix_custom_complete ---completion projects start -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_projects_complete() {
    repeating_flags=()
    non_repeating_flags=(--drop-open --dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--fields --columns --limit --color --tz)
    __helix_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion projects complete -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion projects complete -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion projects complete -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __helix_add_completions -W "$(__helix_custom_complete ---completion projects complete -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_projects_delete() {
    repeating_flags=()
    non_repeating_flags=(--dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--fields --columns --limit --color --tz)
    __helix_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion projects delete -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion projects delete -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion projects delete -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __helix_add_completions -W "$(__helix_custom_complete ---completion projects delete -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_projects_report() {
    repeating_flags=()
    non_repeating_flags=(--csv --markdown --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--from --to --fields --columns --limit --color --tz)
    __helix_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--from')
        return
        ;;
    '--to')
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion projects report -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion projects report -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion projects report -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __helix_add_completions -W "$(__helix_custom_complete ---completion projects report -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_projects_gantt() {
    repeating_flags=()
    non_repeating_flags=(--all --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--fields --columns --limit --color --tz)
    __helix_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion projects gantt -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion projects gantt -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion projects gantt -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __helix_add_completions -W "$(__helix_custom_complete ---completion projects gantt -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_projects_burndown() {
    repeating_flags=()
    non_repeating_flags=(--chart --force --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--by -o --output --fields --columns --limit --color --tz)
    __helix_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--by')
        __helix_add_completions -W 'tasks'$'\n''estimate'
        return
        ;;
    '-o'|'--output')
        __helix_add_completions -f
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion projects burndown -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion projects burndown -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion projects burndown -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __helix_add_completions -W "$(__helix_custom_complete ---completion projects burndown -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_projects_material() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __helix_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    add|list|delete)
        # Offer subcommand argument completions
        "_helix_projects_material_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'add list delete' -- "${cur}"))
        ;;
    esac
}

_helix_projects_material_add() {
    repeating_flags=()
    non_repeating_flags=(--dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--supplier --on --receipt --fields --columns --limit --color --tz)
    __helix_offer_flags_options 5

    # Offer option value completions
    case "${prev}" in
    '--supplier')
        return
        ;;
    '--on')
        return
        ;;
    '--receipt')
        __helix_add_completions -f
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion projects material add -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion projects material add -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion projects material add -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __helix_add_completions -W "$(__helix_custom_complete ---completion projects material add -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_projects_material_list() {
    repeating_flags=()
    non_repeating_flags=(--ids --reverse --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--format --sort --after --fields --columns --limit --color --tz)
    __helix_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--format')
        return
        ;;
    '--sort')
        return
        ;;
    '--after')
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion projects material list -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion projects material list -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion projects material list -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __helix_add_completions -W "$(__helix_custom_complete ---completion projects material list -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_projects_material_delete() {
    repeating_flags=()
    non_repeating_flags=(--dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--fields --columns --limit --color --tz)
    __helix_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion projects material delete -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion projects material delete -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion projects material delete -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __helix_add_completions -W "$(__helix_custom_complete ---completion projects material delete -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_projects_blocks() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __helix_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    list|add|rename|move|remove)
        # Offer subcommand argument completions
        "_helix_projects_blocks_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'list add rename move remove' -- "${cur}"))
        ;;
    esac
}

_helix_projects_blocks_list() {
    repeating_flags=()
    non_repeating_flags=(--ids --reverse --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--format --sort --after --fields --columns --limit --color --tz)
    __helix_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--format')
        return
        ;;
    '--sort')
        return
        ;;
    '--after')
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion projects blocks list -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion projects blocks list -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion projects blocks list -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __helix_add_completions -W "$(__helix_custom_complete ---completion projects blocks list -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_projects_blocks_add() {
    repeating_flags=()
    non_repeating_flags=(--first --dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--before --after --fields --columns --limit --color --tz)
    __helix_offer_flags_options 2

    # Offer option value completions
    case "${prev}" in
    '--before')
        return
        ;;
    '--after')
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion projects blocks add -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion projects blocks add -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion projects blocks add -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __helix_add_completions -W "$(__helix_custom_complete ---completion projects blocks add -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_projects_blocks_rename() {
    repeating_flags=()
    non_repeating_flags=(--dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--fields --columns --limit --color --tz)
    __helix_offer_flags_options 3

    # Offer option value completions
    case "${prev}" in
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion projects blocks rename -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion projects blocks rename -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion projects blocks rename -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __helix_add_completions -W "$(__helix_custom_complete ---completion projects blocks rename -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_projects_blocks_move() {
    repeating_flags=()
    non_repeating_flags=(--first --dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--before --after --fields --columns --limit --color --tz)
    __helix_offer_flags_options 2

    # Offer option value completions
    case "${prev}" in
    '--before')
        return
        ;;
    '--after')
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion projects blocks move -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion projects blocks move -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion projects blocks move -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __helix_add_completions -W "$(__helix_custom_complete ---completion projects blocks move -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_projects_blocks_remove() {
    repeating_flags=()
    non_repeating_flags=(--dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--fields --columns --limit --color --tz)
    __helix_offer_flags_options 2

    # Offer option value completions
    case "${prev}" in
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion projects blocks remove -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion projects blocks remove -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion projects blocks remove -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __helix_add_completions -W "$(__helix_custom_complete ---completion projects blocks remove -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_projects_attach() {
    repeating_flags=()
    non_repeating_flags=(--dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--as --name --fields --columns --limit --color --tz)
    __helix_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--as')
        __helix_add_completions -W 'document'$'\n''photo'$'\n''receipt'
        return
        ;;
    '--name')
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion projects attach -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion projects attach -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion projects attach -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __helix_add_completions -W "$(__helix_custom_complete ---completion projects attach -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    *)
        __helix_add_completions -f
        return
        ;;
    esac
}

_helix_projects_files() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __helix_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    list|open|save|check|remove)
        # Offer subcommand argument completions
        "_helix_projects_files_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'list open save check remove' -- "${cur}"))
        ;;
    esac
}

_helix_projects_files_list() {
    repeating_flags=()
    non_repeating_flags=(--ids --reverse --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--as --format --sort --after --fields --columns --limit --color --tz)
    __helix_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--as')
        __helix_add_completions -W 'document'$'\n''photo'$'\n''receipt'
        return
        ;;
    '--format')
        return
        ;;
    '--sort')
        return
        ;;
    '--after')
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion projects files list -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion projects files list -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion projects files list -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __helix_add_completions -W "$(__helix_custom_complete ---completion projects files list -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_projects_files_open() {
    repeating_flags=()
    non_repeating_flags=(--json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--with --fields --columns --limit --color --tz)
    __helix_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--with')
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion projects files open -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion projects files open -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion projects files open -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __helix_add_completions -W "$(__helix_custom_complete ---completion projects files open -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_projects_files_save() {
    repeating_flags=()
    non_repeating_flags=(--force --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--preview --fields --columns --limit --color --tz)
    __helix_offer_flags_options 2

    # Offer option value completions
    case "${prev}" in
    '--preview')
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion projects files save -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion projects files save -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion projects files save -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __helix_add_completions -W "$(__helix_custom_complete ---completion projects files save -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    2)
        __helix_add_completions -f
        return
        ;;
    esac
}

_helix_projects_files_check() {
    repeating_flags=()
    non_repeating_flags=(--json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--fields --columns --limit --color --tz)
    __helix_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion projects files check -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion projects files check -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion projects files check -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __helix_add_completions -W "$(__helix_custom_complete ---completion projects files check -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_projects_files_remove() {
    repeating_flags=()
    non_repeating_flags=(--forever -y --yes --dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--fields --columns --limit --color --tz)
    __helix_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion projects files remove -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion projects files remove -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion projects files remove -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __helix_add_completions -W "$(__helix_custom_complete ---completion projects files remove -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_projects_invoices() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __helix_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    add|list|show|export|cancel)
        # Offer subcommand argument completions
        "_helix_projects_invoices_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'add list show export cancel' -- "${cur}"))
        ;;
    esac
}

_helix_projects_invoices_add() {
    repeating_flags=()
    non_repeating_flags=(--reverse-charge --billable-only --force --dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=(-o --output)
    non_repeating_options=(--customer --by --number --date --due --round --tax --country --buyer-vat-id --reference --order --note --from --to --fields --columns --limit --color --tz)
    __helix_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--customer')
        return
        ;;
    '--by')
        __helix_add_completions -W 'title'$'\n''day'$'\n''entry'
        return
        ;;
    '--number')
        return
        ;;
    '--date')
        return
        ;;
    '--due')
        return
        ;;
    '--round')
        return
        ;;
    '--tax')
        return
        ;;
    '--country')
        return
        ;;
    '--buyer-vat-id')
        return
        ;;
    '--reference')
        return
        ;;
    '--order')
        return
        ;;
    '--note')
        return
        ;;
    '-o'|'--output')
        __helix_add_completions -f
        return
        ;;
    '--from')
        return
        ;;
    '--to')
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion projects invoices add -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion projects invoices add -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion projects invoices add -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __helix_add_completions -W "$(__helix_custom_complete ---completion projects invoices add -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_projects_invoices_list() {
    repeating_flags=()
    non_repeating_flags=(--ids --reverse --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--format --sort --after --fields --columns --limit --color --tz)
    __helix_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--format')
        return
        ;;
    '--sort')
        return
        ;;
    '--after')
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion projects invoices list -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion projects invoices list -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion projects invoices list -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __helix_add_completions -W "$(__helix_custom_complete ---completion projects invoices list -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_projects_invoices_show() {
    repeating_flags=()
    non_repeating_flags=(--json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--fields --columns --limit --color --tz)
    __helix_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion projects invoices show -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion projects invoices show -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion projects invoices show -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __helix_add_completions -W "$(__helix_custom_complete ---completion projects invoices show -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_projects_invoices_export() {
    repeating_flags=()
    non_repeating_flags=(--force --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=(-o --output)
    non_repeating_options=(--fields --columns --limit --color --tz)
    __helix_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '-o'|'--output')
        __helix_add_completions -f
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion projects invoices export -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion projects invoices export -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion projects invoices export -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __helix_add_completions -W "$(__helix_custom_complete ---completion projects invoices export -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_projects_invoices_cancel() {
    repeating_flags=()
    non_repeating_flags=(--force --dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=(-o --output)
    non_repeating_options=(--number --note --fields --columns --limit --color --tz)
    __helix_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--number')
        return
        ;;
    '--note')
        return
        ;;
    '-o'|'--output')
        __helix_add_completions -f
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion projects invoices cancel -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion projects invoices cancel -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion projects invoices cancel -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __helix_add_completions -W "$(__helix_custom_complete ---completion projects invoices cancel -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_chat() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __helix_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    open|list|new|show|send|read|search|message|react|pin|rename|archive|mute|delete|members|invite|links|join|people|profile|block|unblock|leave|share|export|ask|summarize|suggest|improve|follow|typing)
        # Offer subcommand argument completions
        "_helix_chat_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'open list new show send read search message react pin rename archive mute delete members invite links join people profile block unblock leave share export ask summarize suggest improve follow typing' -- "${cur}"))
        ;;
    esac
}

_helix_chat_open() {
    repeating_flags=()
    non_repeating_flags=(--json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--fields --columns --limit --color --tz)
    __helix_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion chat open -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion chat open -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion chat open -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __helix_add_completions -W "$(__helix_custom_complete ---completion chat open -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_chat_list() {
    repeating_flags=()
    non_repeating_flags=(--all --unread --ids --reverse --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--account --format --sort --after --fields --columns --limit --color --tz)
    __helix_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--account')
        __helix_add_completions -W "$(__helix_custom_complete ---completion chat list -- --account "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--format')
        return
        ;;
    '--sort')
        return
        ;;
    '--after')
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion chat list -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion chat list -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion chat list -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_chat_new() {
    repeating_flags=()
    non_repeating_flags=(--assistant --group --local --dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=(--with)
    non_repeating_options=(--account -m --message --fields --columns --limit --color --tz)
    __helix_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--with')
        return
        ;;
    '--account')
        __helix_add_completions -W "$(__helix_custom_complete ---completion chat new -- --account "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '-m'|'--message')
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion chat new -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion chat new -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion chat new -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_chat_show() {
    repeating_flags=()
    non_repeating_flags=(--peek --pinned --ids --reverse --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--before --format --sort --after --fields --columns --limit --color --tz)
    __helix_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--before')
        __helix_add_completions -W "$(__helix_custom_complete ---completion chat show -- --before "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--format')
        return
        ;;
    '--sort')
        return
        ;;
    '--after')
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion chat show -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion chat show -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion chat show -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __helix_add_completions -W "$(__helix_custom_complete ---completion chat show -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_chat_send() {
    repeating_flags=()
    non_repeating_flags=(--wait --dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=(-a --attach --metadata)
    non_repeating_options=(--reply --fields --columns --limit --color --tz)
    __helix_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--reply')
        __helix_add_completions -W "$(__helix_custom_complete ---completion chat send -- --reply "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '-a'|'--attach')
        __helix_add_completions -f
        return
        ;;
    '--metadata')
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion chat send -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion chat send -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion chat send -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __helix_add_completions -W "$(__helix_custom_complete ---completion chat send -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_chat_read() {
    repeating_flags=()
    non_repeating_flags=(--dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--up-to --fields --columns --limit --color --tz)
    __helix_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--up-to')
        __helix_add_completions -W "$(__helix_custom_complete ---completion chat read -- --up-to "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion chat read -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion chat read -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion chat read -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __helix_add_completions -W "$(__helix_custom_complete ---completion chat read -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_chat_search() {
    repeating_flags=()
    non_repeating_flags=(--count --ids --reverse --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--in --format --sort --after --fields --columns --limit --color --tz)
    __helix_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--in')
        __helix_add_completions -W "$(__helix_custom_complete ---completion chat search -- --in "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--format')
        return
        ;;
    '--sort')
        return
        ;;
    '--after')
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion chat search -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion chat search -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion chat search -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __helix_add_completions -W "$(__helix_custom_complete ---completion chat search -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_chat_message() {
    repeating_flags=()
    non_repeating_flags=(--to-task --to-event --delete --retry --force -y --yes --dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--edit --save --link --fields --columns --limit --color --tz)
    __helix_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--edit')
        return
        ;;
    '--save')
        __helix_add_completions -d
        return
        ;;
    '--link')
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion chat message -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion chat message -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion chat message -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __helix_add_completions -W "$(__helix_custom_complete ---completion chat message -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_chat_react() {
    repeating_flags=()
    non_repeating_flags=(--remove --dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--fields --columns --limit --color --tz)
    __helix_offer_flags_options 2

    # Offer option value completions
    case "${prev}" in
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion chat react -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion chat react -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion chat react -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __helix_add_completions -W "$(__helix_custom_complete ---completion chat react -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_chat_pin() {
    repeating_flags=()
    non_repeating_flags=(--off --dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--fields --columns --limit --color --tz)
    __helix_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion chat pin -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion chat pin -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion chat pin -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __helix_add_completions -W "$(__helix_custom_complete ---completion chat pin -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_chat_rename() {
    repeating_flags=()
    non_repeating_flags=(--dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--description --fields --columns --limit --color --tz)
    __helix_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--description')
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion chat rename -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion chat rename -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion chat rename -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __helix_add_completions -W "$(__helix_custom_complete ---completion chat rename -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_chat_archive() {
    repeating_flags=()
    non_repeating_flags=(--off --dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--fields --columns --limit --color --tz)
    __helix_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion chat archive -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion chat archive -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion chat archive -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __helix_add_completions -W "$(__helix_custom_complete ---completion chat archive -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_chat_mute() {
    repeating_flags=()
    non_repeating_flags=(--off --dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--fields --columns --limit --color --tz)
    __helix_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion chat mute -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion chat mute -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion chat mute -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __helix_add_completions -W "$(__helix_custom_complete ---completion chat mute -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_chat_delete() {
    repeating_flags=()
    non_repeating_flags=(-y --yes --dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--fields --columns --limit --color --tz)
    __helix_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion chat delete -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion chat delete -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion chat delete -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __helix_add_completions -W "$(__helix_custom_complete ---completion chat delete -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_chat_members() {
    repeating_flags=()
    non_repeating_flags=(--dry-run --ids --reverse --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=(--role --remove)
    non_repeating_options=(--format --sort --after --fields --columns --limit --color --tz)
    __helix_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--role')
        return
        ;;
    '--remove')
        return
        ;;
    '--format')
        return
        ;;
    '--sort')
        return
        ;;
    '--after')
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion chat members -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion chat members -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion chat members -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __helix_add_completions -W "$(__helix_custom_complete ---completion chat members -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_chat_invite() {
    repeating_flags=()
    non_repeating_flags=(--history --link --dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--role --expires --uses --fields --columns --limit --color --tz)
    __helix_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--role')
        __helix_add_completions -W 'owner'$'\n''admin'$'\n''member'
        return
        ;;
    '--expires')
        return
        ;;
    '--uses')
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion chat invite -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion chat invite -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion chat invite -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __helix_add_completions -W "$(__helix_custom_complete ---completion chat invite -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_chat_links() {
    repeating_flags=()
    non_repeating_flags=(--dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--revoke --fields --columns --limit --color --tz)
    __helix_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--revoke')
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion chat links -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion chat links -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion chat links -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __helix_add_completions -W "$(__helix_custom_complete ---completion chat links -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_chat_join() {
    repeating_flags=()
    non_repeating_flags=(-y --yes --dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--fields --columns --limit --color --tz)
    __helix_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion chat join -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion chat join -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion chat join -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_chat_people() {
    repeating_flags=()
    non_repeating_flags=(--ids --reverse --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--account --format --sort --after --fields --columns --limit --color --tz)
    __helix_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--account')
        __helix_add_completions -W "$(__helix_custom_complete ---completion chat people -- --account "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--format')
        return
        ;;
    '--sort')
        return
        ;;
    '--after')
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion chat people -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion chat people -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion chat people -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_chat_profile() {
    repeating_flags=()
    non_repeating_flags=(--dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--name --email --status --avatar --account --fields --columns --limit --color --tz)
    __helix_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--name')
        return
        ;;
    '--email')
        return
        ;;
    '--status')
        return
        ;;
    '--avatar')
        __helix_add_completions -f
        return
        ;;
    '--account')
        __helix_add_completions -W "$(__helix_custom_complete ---completion chat profile -- --account "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion chat profile -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion chat profile -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion chat profile -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_chat_block() {
    repeating_flags=()
    non_repeating_flags=(--dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--account --fields --columns --limit --color --tz)
    __helix_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--account')
        __helix_add_completions -W "$(__helix_custom_complete ---completion chat block -- --account "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion chat block -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion chat block -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion chat block -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_chat_unblock() {
    repeating_flags=()
    non_repeating_flags=(--dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--account --fields --columns --limit --color --tz)
    __helix_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--account')
        __helix_add_completions -W "$(__helix_custom_complete ---completion chat unblock -- --account "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion chat unblock -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion chat unblock -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion chat unblock -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_chat_leave() {
    repeating_flags=()
    non_repeating_flags=(-y --yes --dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--fields --columns --limit --color --tz)
    __helix_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion chat leave -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion chat leave -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion chat leave -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __helix_add_completions -W "$(__helix_custom_complete ---completion chat leave -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_chat_share() {
    repeating_flags=()
    non_repeating_flags=(--dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(-m --message --fields --columns --limit --color --tz)
    __helix_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '-m'|'--message')
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion chat share -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion chat share -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion chat share -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __helix_add_completions -W "$(__helix_custom_complete ---completion chat share -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    *)
        __helix_add_completions -W "$(__helix_custom_complete ---completion chat share -- positional@1 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_chat_export() {
    repeating_flags=()
    non_repeating_flags=(--force --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--format -o --output --out --fields --columns --limit --color --tz)
    __helix_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--format')
        __helix_add_completions -W 'markdown'$'\n''text'$'\n''jsonl'
        return
        ;;
    '-o'|'--output'|'--out')
        __helix_add_completions -f
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion chat export -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion chat export -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion chat export -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __helix_add_completions -W "$(__helix_custom_complete ---completion chat export -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_chat_ask() {
    repeating_flags=()
    non_repeating_flags=(--local --dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--in --account --fields --columns --limit --color --tz)
    __helix_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--in')
        __helix_add_completions -W "$(__helix_custom_complete ---completion chat ask -- --in "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--account')
        __helix_add_completions -W "$(__helix_custom_complete ---completion chat ask -- --account "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion chat ask -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion chat ask -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion chat ask -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_chat_summarize() {
    repeating_flags=()
    non_repeating_flags=(--dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--since --fields --columns --limit --color --tz)
    __helix_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--since')
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion chat summarize -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion chat summarize -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion chat summarize -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __helix_add_completions -W "$(__helix_custom_complete ---completion chat summarize -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_chat_suggest() {
    repeating_flags=()
    non_repeating_flags=(--dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--fields --columns --limit --color --tz)
    __helix_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion chat suggest -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion chat suggest -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion chat suggest -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __helix_add_completions -W "$(__helix_custom_complete ---completion chat suggest -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_chat_improve() {
    repeating_flags=()
    non_repeating_flags=(--dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--fields --columns --limit --color --tz)
    __helix_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion chat improve -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion chat improve -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion chat improve -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __helix_add_completions -W 'shorter'$'\n''friendlier'$'\n''formal'$'\n''fix'
        return
        ;;
    esac
}

_helix_chat_follow() {
    repeating_flags=()
    non_repeating_flags=(--read --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--count --fields --columns --limit --color --tz)
    __helix_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--count')
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion chat follow -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion chat follow -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion chat follow -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __helix_add_completions -W "$(__helix_custom_complete ---completion chat follow -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_chat_typing() {
    repeating_flags=()
    non_repeating_flags=(--dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--watch --fields --columns --limit --color --tz)
    __helix_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--watch')
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion chat typing -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion chat typing -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion chat typing -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __helix_add_completions -W "$(__helix_custom_complete ---completion chat typing -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_contacts() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __helix_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    list|show|add|edit|merge|delete|import|export|search|birthdays|books)
        # Offer subcommand argument completions
        "_helix_contacts_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'list show add edit merge delete import export search birthdays books' -- "${cur}"))
        ;;
    esac
}

_helix_contacts_list() {
    repeating_flags=()
    non_repeating_flags=(--ids --reverse --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--format --sort --after --fields --columns --limit --color --tz)
    __helix_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--format')
        return
        ;;
    '--sort')
        return
        ;;
    '--after')
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion contacts list -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion contacts list -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion contacts list -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __helix_add_completions -W "$(__helix_custom_complete ---completion contacts list -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_contacts_show() {
    repeating_flags=()
    non_repeating_flags=(--vcard --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--fields --columns --limit --color --tz)
    __helix_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion contacts show -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion contacts show -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion contacts show -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __helix_add_completions -W "$(__helix_custom_complete ---completion contacts show -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_contacts_add() {
    repeating_flags=()
    non_repeating_flags=(--force --dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=(--email --phone --place --url --messenger --nickname --group --member)
    non_repeating_options=(-b --book --org --title --birthday --anniversary --type --notes --photo --fields --columns --limit --color --tz)
    __helix_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '-b'|'--book')
        __helix_add_completions -W "$(__helix_custom_complete ---completion contacts add -- --book "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--email')
        return
        ;;
    '--phone')
        return
        ;;
    '--org')
        return
        ;;
    '--title')
        return
        ;;
    '--birthday')
        return
        ;;
    '--anniversary')
        return
        ;;
    '--place')
        return
        ;;
    '--url')
        return
        ;;
    '--messenger')
        return
        ;;
    '--nickname')
        return
        ;;
    '--group')
        __helix_add_completions -W "$(__helix_custom_complete ---completion contacts add -- --group "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--member')
        __helix_add_completions -W "$(__helix_custom_complete ---completion contacts add -- --member "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--type')
        __helix_add_completions -W 'person'$'\n''organization'$'\n''group'
        return
        ;;
    '--notes')
        return
        ;;
    '--photo')
        __helix_add_completions -o plusdirs -fX '!*.@(jpg|jpeg|png|gif|webp)'
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion contacts add -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion contacts add -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion contacts add -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_contacts_edit() {
    repeating_flags=()
    non_repeating_flags=(--dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=(--email --phone --place --url --messenger --nickname --group --member)
    non_repeating_options=(--name -b --book --org --title --birthday --anniversary --type --notes --photo --fields --columns --limit --color --tz)
    __helix_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--name')
        return
        ;;
    '-b'|'--book')
        __helix_add_completions -W "$(__helix_custom_complete ---completion contacts edit -- --book "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--email')
        return
        ;;
    '--phone')
        return
        ;;
    '--org')
        return
        ;;
    '--title')
        return
        ;;
    '--birthday')
        return
        ;;
    '--anniversary')
        return
        ;;
    '--place')
        return
        ;;
    '--url')
        return
        ;;
    '--messenger')
        return
        ;;
    '--nickname')
        return
        ;;
    '--group')
        __helix_add_completions -W "$(__helix_custom_complete ---completion contacts edit -- --group "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--member')
        __helix_add_completions -W "$(__helix_custom_complete ---completion contacts edit -- --member "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--type')
        __helix_add_completions -W 'person'$'\n''organization'$'\n''group'
        return
        ;;
    '--notes')
        return
        ;;
    '--photo')
        __helix_add_completions -o plusdirs -fX '!*.@(jpg|jpeg|png|gif|webp)'
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion contacts edit -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion contacts edit -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion contacts edit -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __helix_add_completions -W "$(__helix_custom_complete ---completion contacts edit -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_contacts_merge() {
    repeating_flags=()
    non_repeating_flags=(--all -y --yes --dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--fields --columns --limit --color --tz)
    __helix_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion contacts merge -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion contacts merge -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion contacts merge -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __helix_add_completions -W "$(__helix_custom_complete ---completion contacts merge -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_contacts_delete() {
    repeating_flags=()
    non_repeating_flags=(-y --yes --dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--fields --columns --limit --color --tz)
    __helix_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion contacts delete -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion contacts delete -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion contacts delete -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __helix_add_completions -W "$(__helix_custom_complete ---completion contacts delete -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_contacts_import() {
    repeating_flags=()
    non_repeating_flags=(--dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(-b --book --format --fields --columns --limit --color --tz)
    __helix_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '-b'|'--book')
        __helix_add_completions -W "$(__helix_custom_complete ---completion contacts import -- --book "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--format')
        __helix_add_completions -W 'vcard'$'\n''abook'$'\n''mutt'$'\n''csv'
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion contacts import -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion contacts import -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion contacts import -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __helix_add_completions -o plusdirs -fX '!*.@(vcf|vcard|csv)'
        return
        ;;
    esac
}

_helix_contacts_export() {
    repeating_flags=()
    non_repeating_flags=(--force --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--format -o --output --out --fields --columns --limit --color --tz)
    __helix_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--format')
        __helix_add_completions -W 'vcard'$'\n''abook'$'\n''mutt'$'\n''csv'
        return
        ;;
    '-o'|'--output'|'--out')
        __helix_add_completions -f
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion contacts export -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion contacts export -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion contacts export -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __helix_add_completions -W "$(__helix_custom_complete ---completion contacts export -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_contacts_search() {
    repeating_flags=()
    non_repeating_flags=(--ids --reverse --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--format --sort --after --fields --columns --limit --color --tz)
    __helix_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--format')
        return
        ;;
    '--sort')
        return
        ;;
    '--after')
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion contacts search -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion contacts search -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion contacts search -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __helix_add_completions -W "$(__helix_custom_complete ---completion contacts search -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_contacts_birthdays() {
    repeating_flags=()
    non_repeating_flags=(--ids --reverse --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--days --format --sort --after --fields --columns --limit --color --tz)
    __helix_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--days')
        return
        ;;
    '--format')
        return
        ;;
    '--sort')
        return
        ;;
    '--after')
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion contacts birthdays -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion contacts birthdays -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion contacts birthdays -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_contacts_books() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __helix_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    list|add|rename|delete|default)
        # Offer subcommand argument completions
        "_helix_contacts_books_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'list add rename delete default' -- "${cur}"))
        ;;
    esac
}

_helix_contacts_books_list() {
    repeating_flags=()
    non_repeating_flags=(--ids --reverse --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--format --sort --after --fields --columns --limit --color --tz)
    __helix_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--format')
        return
        ;;
    '--sort')
        return
        ;;
    '--after')
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion contacts books list -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion contacts books list -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion contacts books list -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_contacts_books_add() {
    repeating_flags=()
    non_repeating_flags=(--dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--account --fields --columns --limit --color --tz)
    __helix_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--account')
        __helix_add_completions -W "$(__helix_custom_complete ---completion contacts books add -- --account "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion contacts books add -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion contacts books add -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion contacts books add -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_contacts_books_rename() {
    repeating_flags=()
    non_repeating_flags=(--dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--fields --columns --limit --color --tz)
    __helix_offer_flags_options 2

    # Offer option value completions
    case "${prev}" in
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion contacts books rename -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion contacts books rename -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion contacts books rename -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __helix_add_completions -W "$(__helix_custom_complete ---completion contacts books rename -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_contacts_books_delete() {
    repeating_flags=()
    non_repeating_flags=(-y --yes --dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--fields --columns --limit --color --tz)
    __helix_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion contacts books delete -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion contacts books delete -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion contacts books delete -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __helix_add_completions -W "$(__helix_custom_complete ---completion contacts books delete -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_contacts_books_default() {
    repeating_flags=()
    non_repeating_flags=(--dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--fields --columns --limit --color --tz)
    __helix_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion contacts books default -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion contacts books default -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion contacts books default -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __helix_add_completions -W "$(__helix_custom_complete ---completion contacts books default -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_today() {
    repeating_flags=()
    non_repeating_flags=(--ids --reverse --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--format --sort --after --fields --columns --limit --color --tz)
    __helix_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--format')
        return
        ;;
    '--sort')
        return
        ;;
    '--after')
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion today -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion today -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion today -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_ui() {
    repeating_flags=()
    non_repeating_flags=(--plain --keys --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--fields --columns --limit --color --tz)
    __helix_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion ui -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion ui -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion ui -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __helix_add_completions -W 'today'$'\n''mail'$'\n''cal'$'\n''tasks'$'\n''chat'
        return
        ;;
    esac
}

_helix_status() {
    repeating_flags=()
    non_repeating_flags=(--json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--format --fields --columns --limit --color --tz)
    __helix_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--format')
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion status -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion status -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion status -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_search() {
    repeating_flags=()
    non_repeating_flags=(--similar --index --ids --reverse --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--format --sort --after --fields --columns --limit --color --tz)
    __helix_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--format')
        return
        ;;
    '--sort')
        return
        ;;
    '--after')
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion search -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion search -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion search -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __helix_add_completions -W "$(__helix_custom_complete ---completion search -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_reminders() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __helix_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    list|snooze|dismiss)
        # Offer subcommand argument completions
        "_helix_reminders_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'list snooze dismiss' -- "${cur}"))
        ;;
    esac
}

_helix_reminders_list() {
    repeating_flags=()
    non_repeating_flags=(--ids --reverse --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=(-c --calendar)
    non_repeating_options=(--from --to --format --sort --after --fields --columns --limit --color --tz)
    __helix_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--from')
        return
        ;;
    '--to')
        return
        ;;
    '-c'|'--calendar')
        __helix_add_completions -W "$(__helix_custom_complete ---completion reminders list -- --calendar "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--format')
        return
        ;;
    '--sort')
        return
        ;;
    '--after')
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion reminders list -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion reminders list -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion reminders list -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_reminders_snooze() {
    repeating_flags=()
    non_repeating_flags=(--dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--for --until --fields --columns --limit --color --tz)
    __helix_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--for')
        return
        ;;
    '--until')
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion reminders snooze -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion reminders snooze -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion reminders snooze -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __helix_add_completions -W "$(__helix_custom_complete ---completion reminders snooze -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_reminders_dismiss() {
    repeating_flags=()
    non_repeating_flags=(--all --next --dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--fields --columns --limit --color --tz)
    __helix_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion reminders dismiss -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion reminders dismiss -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion reminders dismiss -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __helix_add_completions -W "$(__helix_custom_complete ---completion reminders dismiss -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_remind() {
    repeating_flags=()
    non_repeating_flags=(--dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--fields --columns --limit --color --tz)
    __helix_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion remind -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion remind -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion remind -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __helix_add_completions -W "$(__helix_custom_complete ---completion remind -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_watch() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __helix_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    run|log)
        # Offer subcommand argument completions
        "_helix_watch_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'run log' -- "${cur}"))
        ;;
    esac
}

_helix_watch_run() {
    repeating_flags=()
    non_repeating_flags=(--once --no-sync --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--every --fields --columns --limit --color --tz)
    __helix_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--every')
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion watch run -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion watch run -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion watch run -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_watch_log() {
    repeating_flags=()
    non_repeating_flags=(--ids --reverse --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--format --sort --after --fields --columns --limit --color --tz)
    __helix_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--format')
        return
        ;;
    '--sort')
        return
        ;;
    '--after')
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion watch log -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion watch log -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion watch log -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_ask() {
    repeating_flags=()
    non_repeating_flags=(--dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--fields --columns --limit --color --tz)
    __helix_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion ask -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion ask -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion ask -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_plan() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __helix_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    day|week)
        # Offer subcommand argument completions
        "_helix_plan_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'day week' -- "${cur}"))
        ;;
    esac
}

_helix_plan_day() {
    repeating_flags=()
    non_repeating_flags=(--dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--fields --columns --limit --color --tz)
    __helix_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion plan day -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion plan day -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion plan day -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_plan_week() {
    repeating_flags=()
    non_repeating_flags=(--dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--fields --columns --limit --color --tz)
    __helix_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion plan week -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion plan week -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion plan week -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_extract() {
    repeating_flags=()
    non_repeating_flags=(--dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--fields --columns --limit --color --tz)
    __helix_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion extract -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion extract -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion extract -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __helix_add_completions -f
        return
        ;;
    esac
}

_helix_show() {
    repeating_flags=()
    non_repeating_flags=(--json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--fields --columns --limit --color --tz)
    __helix_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion show -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion show -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion show -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __helix_add_completions -W "$(__helix_custom_complete ---completion show -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_open() {
    repeating_flags=()
    non_repeating_flags=(-y --yes --dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--fields --columns --limit --color --tz)
    __helix_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion open -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion open -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion open -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_dates() {
    repeating_flags=()
    non_repeating_flags=(--back --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--fields --columns --limit --color --tz)
    __helix_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion dates -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion dates -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion dates -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_fields() {
    repeating_flags=()
    non_repeating_flags=(--ids --reverse --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--format --sort --after --fields --columns --limit --color --tz)
    __helix_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--format')
        return
        ;;
    '--sort')
        return
        ;;
    '--after')
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion fields -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion fields -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion fields -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __helix_add_completions -W 'tasks'$'\n''time'$'\n''cal'$'\n''mail'$'\n''chat'$'\n''contacts'$'\n''search'
        return
        ;;
    esac
}

_helix_link() {
    repeating_flags=()
    non_repeating_flags=(--dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--fields --columns --limit --color --tz)
    __helix_offer_flags_options 2

    # Offer option value completions
    case "${prev}" in
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion link -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion link -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion link -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __helix_add_completions -W "$(__helix_custom_complete ---completion link -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    2)
        __helix_add_completions -W "$(__helix_custom_complete ---completion link -- positional@1 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_unlink() {
    repeating_flags=()
    non_repeating_flags=(--dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--fields --columns --limit --color --tz)
    __helix_offer_flags_options 2

    # Offer option value completions
    case "${prev}" in
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion unlink -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion unlink -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion unlink -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __helix_add_completions -W "$(__helix_custom_complete ---completion unlink -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    2)
        __helix_add_completions -W "$(__helix_custom_complete ---completion unlink -- positional@1 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_undo() {
    repeating_flags=()
    non_repeating_flags=(--list --dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--by --run --fields --columns --limit --color --tz)
    __helix_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--by')
        return
        ;;
    '--run')
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion undo -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion undo -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion undo -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __helix_add_completions -W "$(__helix_custom_complete ---completion undo -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_redo() {
    repeating_flags=()
    non_repeating_flags=(--list --dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--fields --columns --limit --color --tz)
    __helix_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion redo -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion redo -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion redo -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_history() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __helix_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    list|show)
        # Offer subcommand argument completions
        "_helix_history_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'list show' -- "${cur}"))
        ;;
    esac
}

_helix_history_list() {
    repeating_flags=()
    non_repeating_flags=(--ids --reverse --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--by --run --format --sort --after --fields --columns --limit --color --tz)
    __helix_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--by')
        return
        ;;
    '--run')
        return
        ;;
    '--format')
        return
        ;;
    '--sort')
        return
        ;;
    '--after')
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion history list -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion history list -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion history list -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __helix_add_completions -W "$(__helix_custom_complete ---completion history list -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_history_show() {
    repeating_flags=()
    non_repeating_flags=(--json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--fields --columns --limit --color --tz)
    __helix_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion history show -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion history show -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion history show -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __helix_add_completions -W "$(__helix_custom_complete ---completion history show -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_review() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __helix_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    list|show|accept|reject|reopen|comment)
        # Offer subcommand argument completions
        "_helix_review_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'list show accept reject reopen comment' -- "${cur}"))
        ;;
    esac
}

_helix_review_list() {
    repeating_flags=()
    non_repeating_flags=(--all --ids --reverse --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--format --sort --after --fields --columns --limit --color --tz)
    __helix_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--format')
        return
        ;;
    '--sort')
        return
        ;;
    '--after')
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion review list -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion review list -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion review list -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_review_show() {
    repeating_flags=()
    non_repeating_flags=(--json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--fields --columns --limit --color --tz)
    __helix_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion review show -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion review show -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion review show -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __helix_add_completions -W "$(__helix_custom_complete ---completion review show -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_review_accept() {
    repeating_flags=()
    non_repeating_flags=(--dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--fields --columns --limit --color --tz)
    __helix_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion review accept -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion review accept -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion review accept -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __helix_add_completions -W "$(__helix_custom_complete ---completion review accept -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_review_reject() {
    repeating_flags=()
    non_repeating_flags=(--dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--fields --columns --limit --color --tz)
    __helix_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion review reject -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion review reject -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion review reject -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __helix_add_completions -W "$(__helix_custom_complete ---completion review reject -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_review_reopen() {
    repeating_flags=()
    non_repeating_flags=(--dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--fields --columns --limit --color --tz)
    __helix_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion review reopen -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion review reopen -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion review reopen -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __helix_add_completions -W "$(__helix_custom_complete ---completion review reopen -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_review_comment() {
    repeating_flags=()
    non_repeating_flags=(--dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--fields --columns --limit --color --tz)
    __helix_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion review comment -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion review comment -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion review comment -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __helix_add_completions -W "$(__helix_custom_complete ---completion review comment -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_sync() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __helix_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    run|conflicts|resolve)
        # Offer subcommand argument completions
        "_helix_sync_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'run conflicts resolve' -- "${cur}"))
        ;;
    esac
}

_helix_sync_run() {
    repeating_flags=()
    non_repeating_flags=(--dry-run --full --allow-mass-delete --watch --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--every --fields --columns --limit --color --tz)
    __helix_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--every')
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion sync run -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion sync run -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion sync run -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __helix_add_completions -W "$(__helix_custom_complete ---completion sync run -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_sync_conflicts() {
    repeating_flags=()
    non_repeating_flags=(--ids --reverse --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--format --sort --after --fields --columns --limit --color --tz)
    __helix_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--format')
        return
        ;;
    '--sort')
        return
        ;;
    '--after')
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion sync conflicts -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion sync conflicts -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion sync conflicts -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_sync_resolve() {
    repeating_flags=()
    non_repeating_flags=(--dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--keep --fields --columns --limit --color --tz)
    __helix_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--keep')
        __helix_add_completions -W 'local'$'\n''server'$'\n''both'
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion sync resolve -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion sync resolve -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion sync resolve -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __helix_add_completions -W "$(__helix_custom_complete ---completion sync resolve -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_outbox() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __helix_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    list|changes|show|hold|release|edit|cancel|retry)
        # Offer subcommand argument completions
        "_helix_outbox_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'list changes show hold release edit cancel retry' -- "${cur}"))
        ;;
    esac
}

_helix_outbox_list() {
    repeating_flags=()
    non_repeating_flags=(--ids --reverse --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--format --sort --after --fields --columns --limit --color --tz)
    __helix_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--format')
        return
        ;;
    '--sort')
        return
        ;;
    '--after')
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion outbox list -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion outbox list -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion outbox list -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_outbox_changes() {
    repeating_flags=()
    non_repeating_flags=(--ids --reverse --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--format --sort --after --fields --columns --limit --color --tz)
    __helix_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--format')
        return
        ;;
    '--sort')
        return
        ;;
    '--after')
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion outbox changes -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion outbox changes -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion outbox changes -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_outbox_show() {
    repeating_flags=()
    non_repeating_flags=(--raw --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--part --fields --columns --limit --color --tz)
    __helix_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--part')
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion outbox show -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion outbox show -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion outbox show -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __helix_add_completions -W "$(__helix_custom_complete ---completion outbox show -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_outbox_hold() {
    repeating_flags=()
    non_repeating_flags=(--dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--fields --columns --limit --color --tz)
    __helix_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion outbox hold -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion outbox hold -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion outbox hold -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __helix_add_completions -W "$(__helix_custom_complete ---completion outbox hold -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_outbox_release() {
    repeating_flags=()
    non_repeating_flags=(--dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--fields --columns --limit --color --tz)
    __helix_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion outbox release -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion outbox release -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion outbox release -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __helix_add_completions -W "$(__helix_custom_complete ---completion outbox release -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_outbox_edit() {
    repeating_flags=()
    non_repeating_flags=(--markdown --signature --no-signature --sign --no-sign --encrypt --no-encrypt --edit --dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=(--to --cc --bcc --attach -a)
    non_repeating_options=(--subject -s --body -b --template --from --security --at --fields --columns --limit --color --tz)
    __helix_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--to')
        __helix_add_completions -W "$(__helix_custom_complete ---completion outbox edit -- --to "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--cc')
        __helix_add_completions -W "$(__helix_custom_complete ---completion outbox edit -- --cc "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--bcc')
        __helix_add_completions -W "$(__helix_custom_complete ---completion outbox edit -- --bcc "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--subject'|'-s')
        return
        ;;
    '--body'|'-b')
        return
        ;;
    '--attach'|'-a')
        __helix_add_completions -f
        return
        ;;
    '--template')
        __helix_add_completions -W "$(__helix_custom_complete ---completion outbox edit -- --template "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--from')
        return
        ;;
    '--security')
        __helix_add_completions -W 'openpgp'$'\n''smime'
        return
        ;;
    '--at')
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion outbox edit -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion outbox edit -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion outbox edit -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __helix_add_completions -W "$(__helix_custom_complete ---completion outbox edit -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_outbox_cancel() {
    repeating_flags=()
    non_repeating_flags=(--dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--fields --columns --limit --color --tz)
    __helix_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion outbox cancel -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion outbox cancel -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion outbox cancel -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __helix_add_completions -W "$(__helix_custom_complete ---completion outbox cancel -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_outbox_retry() {
    repeating_flags=()
    non_repeating_flags=(--dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--fields --columns --limit --color --tz)
    __helix_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion outbox retry -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion outbox retry -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion outbox retry -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __helix_add_completions -W "$(__helix_custom_complete ---completion outbox retry -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_account() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __helix_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    add|edit|sign-in|check|list|show|remove)
        # Offer subcommand argument completions
        "_helix_account_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'add edit sign-in check list show remove' -- "${cur}"))
        ;;
    esac
}

_helix_account_add() {
    repeating_flags=()
    non_repeating_flags=(--no-input --keyring --plaintext --read-only --no-read-only --dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--address --user --imap-host --imap-port --imap-security --smtp-host --smtp-port --smtp-security --sieve-host --sieve-port --sieve-security --sendmail --password-command --token-command --ca --fingerprint --bodies --mailboxes --sent-copy --compress --oauth --client-id --client-secret-command --scopes --strategy --calendars --mail-accounts --fields --columns --limit --color --tz)
    __helix_offer_flags_options 3

    # Offer option value completions
    case "${prev}" in
    '--address')
        return
        ;;
    '--user')
        return
        ;;
    '--imap-host')
        return
        ;;
    '--imap-port')
        return
        ;;
    '--imap-security')
        __helix_add_completions -W 'tls'$'\n''starttls'$'\n''none'
        return
        ;;
    '--smtp-host')
        return
        ;;
    '--smtp-port')
        return
        ;;
    '--smtp-security')
        __helix_add_completions -W 'tls'$'\n''starttls'$'\n''none'
        return
        ;;
    '--sieve-host')
        return
        ;;
    '--sieve-port')
        return
        ;;
    '--sieve-security')
        __helix_add_completions -W 'tls'$'\n''starttls'$'\n''none'
        return
        ;;
    '--sendmail')
        return
        ;;
    '--password-command')
        return
        ;;
    '--token-command')
        return
        ;;
    '--ca')
        __helix_add_completions -f
        return
        ;;
    '--fingerprint')
        return
        ;;
    '--bodies')
        return
        ;;
    '--mailboxes')
        return
        ;;
    '--sent-copy')
        return
        ;;
    '--compress')
        return
        ;;
    '--oauth')
        return
        ;;
    '--client-id')
        return
        ;;
    '--client-secret-command')
        return
        ;;
    '--scopes')
        return
        ;;
    '--strategy')
        __helix_add_completions -W 'merge'$'\n''server'$'\n''local'$'\n''ask'
        return
        ;;
    '--calendars')
        return
        ;;
    '--mail-accounts')
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion account add -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion account add -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion account add -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    3)
        __helix_add_completions -d
        return
        ;;
    esac
}

_helix_account_edit() {
    repeating_flags=()
    non_repeating_flags=(--keyring --plaintext --read-only --no-read-only --dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--address --user --imap-host --imap-port --imap-security --smtp-host --smtp-port --smtp-security --sieve-host --sieve-port --sieve-security --sendmail --password-command --token-command --ca --fingerprint --bodies --mailboxes --sent-copy --compress --oauth --client-id --client-secret-command --scopes --strategy --calendars --mail-accounts --fields --columns --limit --color --tz)
    __helix_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--address')
        return
        ;;
    '--user')
        return
        ;;
    '--imap-host')
        return
        ;;
    '--imap-port')
        return
        ;;
    '--imap-security')
        __helix_add_completions -W 'tls'$'\n''starttls'$'\n''none'
        return
        ;;
    '--smtp-host')
        return
        ;;
    '--smtp-port')
        return
        ;;
    '--smtp-security')
        __helix_add_completions -W 'tls'$'\n''starttls'$'\n''none'
        return
        ;;
    '--sieve-host')
        return
        ;;
    '--sieve-port')
        return
        ;;
    '--sieve-security')
        __helix_add_completions -W 'tls'$'\n''starttls'$'\n''none'
        return
        ;;
    '--sendmail')
        return
        ;;
    '--password-command')
        return
        ;;
    '--token-command')
        return
        ;;
    '--ca')
        __helix_add_completions -f
        return
        ;;
    '--fingerprint')
        return
        ;;
    '--bodies')
        return
        ;;
    '--mailboxes')
        return
        ;;
    '--sent-copy')
        return
        ;;
    '--compress')
        return
        ;;
    '--oauth')
        return
        ;;
    '--client-id')
        return
        ;;
    '--client-secret-command')
        return
        ;;
    '--scopes')
        return
        ;;
    '--strategy')
        __helix_add_completions -W 'merge'$'\n''server'$'\n''local'$'\n''ask'
        return
        ;;
    '--calendars')
        return
        ;;
    '--mail-accounts')
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion account edit -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion account edit -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion account edit -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __helix_add_completions -W "$(__helix_custom_complete ---completion account edit -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_account_sign-in() {
    repeating_flags=()
    non_repeating_flags=(--device --no-browser --dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--fields --columns --limit --color --tz)
    __helix_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion account sign-in -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion account sign-in -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion account sign-in -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __helix_add_completions -W "$(__helix_custom_complete ---completion account sign-in -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_account_check() {
    repeating_flags=()
    non_repeating_flags=(--json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--fields --columns --limit --color --tz)
    __helix_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion account check -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion account check -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion account check -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __helix_add_completions -W "$(__helix_custom_complete ---completion account check -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_account_list() {
    repeating_flags=()
    non_repeating_flags=(--ids --reverse --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--format --sort --after --fields --columns --limit --color --tz)
    __helix_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--format')
        return
        ;;
    '--sort')
        return
        ;;
    '--after')
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion account list -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion account list -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion account list -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_account_show() {
    repeating_flags=()
    non_repeating_flags=(--json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--fields --columns --limit --color --tz)
    __helix_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion account show -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion account show -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion account show -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __helix_add_completions -W "$(__helix_custom_complete ---completion account show -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_account_remove() {
    repeating_flags=()
    non_repeating_flags=(--yes -y --dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--fields --columns --limit --color --tz)
    __helix_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion account remove -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion account remove -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion account remove -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __helix_add_completions -W "$(__helix_custom_complete ---completion account remove -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_gateway() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __helix_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    serve|database|user|as|status|pair|password|end|devices|approve|reject|revoke|token|push|device-file|call)
        # Offer subcommand argument completions
        "_helix_gateway_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'serve database user as status pair password end devices approve reject revoke token push device-file call' -- "${cur}"))
        ;;
    esac
}

_helix_gateway_serve() {
    repeating_flags=()
    non_repeating_flags=(--trust-proxy --sign-up --push-private --plaintext --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=(--origin)
    non_repeating_options=(--host --port --tls-certificate --tls-key --directory --database --password-command --jwt-issuer --jwt-audience --jwt-keys --jwt-secret-command --jwt-ca --most-connections --database-connections --push-content --push-contact --push-ca --apns-key --apns-key-id --apns-team --apns-url --fields --columns --limit --color --tz)
    __helix_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--host')
        return
        ;;
    '--port')
        return
        ;;
    '--tls-certificate')
        __helix_add_completions -f
        return
        ;;
    '--tls-key')
        __helix_add_completions -f
        return
        ;;
    '--origin')
        return
        ;;
    '--directory')
        __helix_add_completions -W 'off'$'\n''members'$'\n''all'
        return
        ;;
    '--database')
        return
        ;;
    '--password-command')
        return
        ;;
    '--jwt-issuer')
        return
        ;;
    '--jwt-audience')
        return
        ;;
    '--jwt-keys')
        __helix_add_completions -f
        return
        ;;
    '--jwt-secret-command')
        return
        ;;
    '--jwt-ca')
        __helix_add_completions -f
        return
        ;;
    '--most-connections')
        return
        ;;
    '--database-connections')
        return
        ;;
    '--push-content')
        __helix_add_completions -W 'none'$'\n''names'$'\n''text'
        return
        ;;
    '--push-contact')
        return
        ;;
    '--push-ca')
        __helix_add_completions -f
        return
        ;;
    '--apns-key')
        __helix_add_completions -f
        return
        ;;
    '--apns-key-id')
        return
        ;;
    '--apns-team')
        return
        ;;
    '--apns-url')
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion gateway serve -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion gateway serve -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion gateway serve -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_gateway_database() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __helix_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    migrate|status|import|export|check)
        # Offer subcommand argument completions
        "_helix_gateway_database_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'migrate status import export check' -- "${cur}"))
        ;;
    esac
}

_helix_gateway_database_migrate() {
    repeating_flags=()
    non_repeating_flags=(--dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--database --password-command --fields --columns --limit --color --tz)
    __helix_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--database')
        return
        ;;
    '--password-command')
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion gateway database migrate -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion gateway database migrate -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion gateway database migrate -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_gateway_database_status() {
    repeating_flags=()
    non_repeating_flags=(--json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--database --password-command --fields --columns --limit --color --tz)
    __helix_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--database')
        return
        ;;
    '--password-command')
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion gateway database status -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion gateway database status -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion gateway database status -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_gateway_database_import() {
    repeating_flags=()
    non_repeating_flags=(-y --yes --dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--database --password-command --fields --columns --limit --color --tz)
    __helix_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--database')
        return
        ;;
    '--password-command')
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion gateway database import -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion gateway database import -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion gateway database import -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_gateway_database_export() {
    repeating_flags=()
    non_repeating_flags=(--dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--to --database --password-command --fields --columns --limit --color --tz)
    __helix_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--to')
        __helix_add_completions -d
        return
        ;;
    '--database')
        return
        ;;
    '--password-command')
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion gateway database export -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion gateway database export -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion gateway database export -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_gateway_database_check() {
    repeating_flags=()
    non_repeating_flags=(--json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--folder --database --password-command --fields --columns --limit --color --tz)
    __helix_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--folder')
        __helix_add_completions -d
        return
        ;;
    '--database')
        return
        ;;
    '--password-command')
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion gateway database check -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion gateway database check -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion gateway database check -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_gateway_user() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __helix_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    add|list|password|disable|enable)
        # Offer subcommand argument completions
        "_helix_gateway_user_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'add list password disable enable' -- "${cur}"))
        ;;
    esac
}

_helix_gateway_user_add() {
    repeating_flags=()
    non_repeating_flags=(--admin --dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--fields --columns --limit --color --tz)
    __helix_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion gateway user add -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion gateway user add -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion gateway user add -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_gateway_user_list() {
    repeating_flags=()
    non_repeating_flags=(--json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--fields --columns --limit --color --tz)
    __helix_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion gateway user list -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion gateway user list -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion gateway user list -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_gateway_user_password() {
    repeating_flags=()
    non_repeating_flags=(--dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--fields --columns --limit --color --tz)
    __helix_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion gateway user password -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion gateway user password -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion gateway user password -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_gateway_user_disable() {
    repeating_flags=()
    non_repeating_flags=(--dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--fields --columns --limit --color --tz)
    __helix_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion gateway user disable -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion gateway user disable -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion gateway user disable -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_gateway_user_enable() {
    repeating_flags=()
    non_repeating_flags=(--dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--fields --columns --limit --color --tz)
    __helix_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion gateway user enable -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion gateway user enable -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion gateway user enable -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_gateway_as() {
    repeating_flags=()
    non_repeating_flags=(--json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--fields --columns --limit --color --tz)
    __helix_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion gateway as -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion gateway as -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion gateway as -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_gateway_status() {
    repeating_flags=()
    non_repeating_flags=(--json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--account --fields --columns --limit --color --tz)
    __helix_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--account')
        __helix_add_completions -W "$(__helix_custom_complete ---completion gateway status -- --account "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion gateway status -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion gateway status -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion gateway status -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_gateway_pair() {
    repeating_flags=()
    non_repeating_flags=(--sign-up --dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--display-name --email --fields --columns --limit --color --tz)
    __helix_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--display-name')
        return
        ;;
    '--email')
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion gateway pair -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion gateway pair -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion gateway pair -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __helix_add_completions -W "$(__helix_custom_complete ---completion gateway pair -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_gateway_password() {
    repeating_flags=()
    non_repeating_flags=(--dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--fields --columns --limit --color --tz)
    __helix_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion gateway password -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion gateway password -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion gateway password -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __helix_add_completions -W "$(__helix_custom_complete ---completion gateway password -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_gateway_end() {
    repeating_flags=()
    non_repeating_flags=(-y --yes --dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--fields --columns --limit --color --tz)
    __helix_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion gateway end -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion gateway end -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion gateway end -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __helix_add_completions -W "$(__helix_custom_complete ---completion gateway end -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_gateway_devices() {
    repeating_flags=()
    non_repeating_flags=(--local --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--account --fields --columns --limit --color --tz)
    __helix_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--account')
        __helix_add_completions -W "$(__helix_custom_complete ---completion gateway devices -- --account "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion gateway devices -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion gateway devices -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion gateway devices -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_gateway_approve() {
    repeating_flags=()
    non_repeating_flags=(--read-only --local --dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--account --fields --columns --limit --color --tz)
    __helix_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--account')
        __helix_add_completions -W "$(__helix_custom_complete ---completion gateway approve -- --account "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion gateway approve -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion gateway approve -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion gateway approve -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_gateway_reject() {
    repeating_flags=()
    non_repeating_flags=(--local --dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--account --fields --columns --limit --color --tz)
    __helix_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--account')
        __helix_add_completions -W "$(__helix_custom_complete ---completion gateway reject -- --account "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion gateway reject -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion gateway reject -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion gateway reject -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_gateway_revoke() {
    repeating_flags=()
    non_repeating_flags=(--yes -y --local --dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--account --fields --columns --limit --color --tz)
    __helix_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--account')
        __helix_add_completions -W "$(__helix_custom_complete ---completion gateway revoke -- --account "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion gateway revoke -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion gateway revoke -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion gateway revoke -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_gateway_token() {
    repeating_flags=()
    non_repeating_flags=(--dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=(--read --change)
    non_repeating_options=(--account --fields --columns --limit --color --tz)
    __helix_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--read')
        __helix_add_completions -W 'mail'$'\n''calendar'$'\n''tasks'$'\n''time'$'\n''chat'$'\n''contacts'
        return
        ;;
    '--change')
        __helix_add_completions -W 'mail'$'\n''calendar'$'\n''tasks'$'\n''time'$'\n''chat'$'\n''contacts'
        return
        ;;
    '--account')
        __helix_add_completions -W "$(__helix_custom_complete ---completion gateway token -- --account "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion gateway token -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion gateway token -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion gateway token -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_gateway_push() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __helix_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    list|add|remove|test)
        # Offer subcommand argument completions
        "_helix_gateway_push_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'list add remove test' -- "${cur}"))
        ;;
    esac
}

_helix_gateway_push_list() {
    repeating_flags=()
    non_repeating_flags=(--json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--account --fields --columns --limit --color --tz)
    __helix_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--account')
        __helix_add_completions -W "$(__helix_custom_complete ---completion gateway push list -- --account "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion gateway push list -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion gateway push list -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion gateway push list -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_gateway_push_add() {
    repeating_flags=()
    non_repeating_flags=(--always --dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--token-command --account --fields --columns --limit --color --tz)
    __helix_offer_flags_options 2

    # Offer option value completions
    case "${prev}" in
    '--token-command')
        return
        ;;
    '--account')
        __helix_add_completions -W "$(__helix_custom_complete ---completion gateway push add -- --account "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion gateway push add -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion gateway push add -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion gateway push add -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __helix_add_completions -W 'ntfy'$'\n''webhook'$'\n''unifiedpush'
        return
        ;;
    esac
}

_helix_gateway_push_remove() {
    repeating_flags=()
    non_repeating_flags=(--dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--account --fields --columns --limit --color --tz)
    __helix_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--account')
        __helix_add_completions -W "$(__helix_custom_complete ---completion gateway push remove -- --account "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion gateway push remove -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion gateway push remove -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion gateway push remove -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_gateway_push_test() {
    repeating_flags=()
    non_repeating_flags=(--dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--account --fields --columns --limit --color --tz)
    __helix_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--account')
        __helix_add_completions -W "$(__helix_custom_complete ---completion gateway push test -- --account "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion gateway push test -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion gateway push test -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion gateway push test -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_gateway_device-file() {
    repeating_flags=()
    non_repeating_flags=(--dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=(--scopes)
    non_repeating_options=(--folder --account --fields --columns --limit --color --tz)
    __helix_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--folder')
        __helix_add_completions -d
        return
        ;;
    '--scopes')
        return
        ;;
    '--account')
        __helix_add_completions -W "$(__helix_custom_complete ---completion gateway device-file -- --account "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion gateway device-file -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion gateway device-file -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion gateway device-file -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_gateway_call() {
    repeating_flags=()
    non_repeating_flags=(--dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--account --timeout --fields --columns --limit --color --tz)
    __helix_offer_flags_options 2

    # Offer option value completions
    case "${prev}" in
    '--account')
        __helix_add_completions -W "$(__helix_custom_complete ---completion gateway call -- --account "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--timeout')
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion gateway call -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion gateway call -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion gateway call -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_config() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __helix_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    list|get|set|unset|path|edit)
        # Offer subcommand argument completions
        "_helix_config_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'list get set unset path edit' -- "${cur}"))
        ;;
    esac
}

_helix_config_list() {
    repeating_flags=()
    non_repeating_flags=(--ids --reverse --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--format --sort --after --fields --columns --limit --color --tz)
    __helix_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--format')
        return
        ;;
    '--sort')
        return
        ;;
    '--after')
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion config list -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion config list -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion config list -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_config_get() {
    repeating_flags=()
    non_repeating_flags=(--json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--fields --columns --limit --color --tz)
    __helix_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion config get -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion config get -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion config get -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __helix_add_completions -W "$(__helix_custom_complete ---completion config get -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_config_set() {
    repeating_flags=()
    non_repeating_flags=(--dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--fields --columns --limit --color --tz)
    __helix_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion config set -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion config set -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion config set -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __helix_add_completions -W "$(__helix_custom_complete ---completion config set -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    *)
        __helix_add_completions -W "$(__helix_custom_complete ---completion config set -- positional@1 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_config_unset() {
    repeating_flags=()
    non_repeating_flags=(--dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--fields --columns --limit --color --tz)
    __helix_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion config unset -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion config unset -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion config unset -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __helix_add_completions -W "$(__helix_custom_complete ---completion config unset -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_config_path() {
    repeating_flags=()
    non_repeating_flags=(--json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--fields --columns --limit --color --tz)
    __helix_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion config path -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion config path -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion config path -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_config_edit() {
    repeating_flags=()
    non_repeating_flags=(--json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--fields --columns --limit --color --tz)
    __helix_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion config edit -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion config edit -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion config edit -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_lock() {
    repeating_flags=()
    non_repeating_flags=(--force --dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--with --fields --columns --limit --color --tz)
    __helix_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--with')
        __helix_add_completions -W 'passphrase'$'\n''login'$'\n''none'
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion lock -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion lock -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion lock -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_unlock() {
    repeating_flags=()
    non_repeating_flags=(--json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--fields --columns --limit --color --tz)
    __helix_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion unlock -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion unlock -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion unlock -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_vault() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __helix_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    status|create|open|close|passphrase|recovery|remove)
        # Offer subcommand argument completions
        "_helix_vault_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'status create open close passphrase recovery remove' -- "${cur}"))
        ;;
    esac
}

_helix_vault_status() {
    repeating_flags=()
    non_repeating_flags=(--json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--fields --columns --limit --color --tz)
    __helix_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion vault status -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion vault status -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion vault status -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_vault_create() {
    repeating_flags=()
    non_repeating_flags=(--dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--key --fields --columns --limit --color --tz)
    __helix_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--key')
        __helix_add_completions -W 'passphrase'$'\n''keyring'
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion vault create -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion vault create -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion vault create -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_vault_open() {
    repeating_flags=()
    non_repeating_flags=(--json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--fields --columns --limit --color --tz)
    __helix_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion vault open -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion vault open -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion vault open -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_vault_close() {
    repeating_flags=()
    non_repeating_flags=(--force --dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--fields --columns --limit --color --tz)
    __helix_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion vault close -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion vault close -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion vault close -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_vault_passphrase() {
    repeating_flags=()
    non_repeating_flags=(--recovery --dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--key --fields --columns --limit --color --tz)
    __helix_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--key')
        __helix_add_completions -W 'passphrase'$'\n''keyring'
        return
        ;;
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion vault passphrase -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion vault passphrase -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion vault passphrase -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_vault_recovery() {
    repeating_flags=()
    non_repeating_flags=(--json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--fields --columns --limit --color --tz)
    __helix_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion vault recovery -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion vault recovery -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion vault recovery -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_vault_remove() {
    repeating_flags=()
    non_repeating_flags=(--yes -y --dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--fields --columns --limit --color --tz)
    __helix_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion vault remove -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion vault remove -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion vault remove -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_doctor() {
    repeating_flags=()
    non_repeating_flags=(--reindex --repair --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--fields --columns --limit --color --tz)
    __helix_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion doctor -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion doctor -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion doctor -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_backup() {
    repeating_flags=()
    non_repeating_flags=(--force --dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--fields --columns --limit --color --tz)
    __helix_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion backup -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion backup -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion backup -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __helix_add_completions -f
        return
        ;;
    esac
}

_helix_restore() {
    repeating_flags=()
    non_repeating_flags=(-y --yes --dry-run --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--fields --columns --limit --color --tz)
    __helix_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion restore -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion restore -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion restore -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __helix_add_completions -f
        return
        ;;
    esac
}

_helix_schema() {
    repeating_flags=()
    non_repeating_flags=(--commands --json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--fields --columns --limit --color --tz)
    __helix_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion schema -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion schema -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion schema -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __helix_add_completions -W "$(__helix_custom_complete ---completion schema -- positional@0 "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_mcp() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __helix_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    serve|install)
        # Offer subcommand argument completions
        "_helix_mcp_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'serve install' -- "${cur}"))
        ;;
    esac
}

_helix_mcp_serve() {
    repeating_flags=()
    non_repeating_flags=(--json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--fields --columns --limit --color --tz)
    __helix_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mcp serve -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mcp serve -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mcp serve -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_mcp_install() {
    repeating_flags=()
    non_repeating_flags=(--json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--fields --columns --limit --color --tz)
    __helix_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mcp install -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mcp install -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion mcp install -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __helix_add_completions -W 'claude-code'$'\n''claude-desktop'$'\n''codex'$'\n''cursor'$'\n''gemini'$'\n''vscode'
        return
        ;;
    esac
}

_helix_completions() {
    repeating_flags=()
    non_repeating_flags=(--json --jsonl --ascii --quiet --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--fields --columns --limit --color --tz)
    __helix_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--fields')
        __helix_add_completions -W "$(__helix_custom_complete ---completion completions -- --fields "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--columns')
        __helix_add_completions -W "$(__helix_custom_complete ---completion completions -- --columns "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    '--limit')
        __helix_add_completions -W 'all'
        return
        ;;
    '--color')
        __helix_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--tz')
        __helix_add_completions -W "$(__helix_custom_complete ---completion completions -- --tz "${COMP_CWORD}" "$(__helix_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_helix_help() {
    repeating_flags=()
    non_repeating_flags=(--version)
    repeating_options=()
    non_repeating_options=()
    __helix_offer_flags_options -1
    case "${prev}" in
    help) COMPREPLY+=($(compgen -W 'cal mail tasks time projects chat contacts today ui status search reminders remind watch ask plan extract show open dates fields link unlink undo redo history review sync outbox account gateway config lock unlock vault doctor backup restore schema mcp completions' -- "${cur}")) ;;
    cal) COMPREPLY+=($(compgen -W 'week day month agenda year add rsvp invite edit move copy delete show search conflicts free import export check stats print calendars' -- "${cur}")) ;;
    mail) COMPREPLY+=($(compgen -W 'list inbox unread search read open thread new reply reply-all forward bounce resend templates drafts edit send discard mark label move archive snooze follow-up mute unsubscribe rules vacation trash delete mailboxes attachments import export index people verify keys stats summarize draft triage' -- "${cur}")) ;;
    tasks) COMPREPLY+=($(compgen -W 'board add list next show edit done reopen drop delete move start stop schedule depend undepend search stats import export columns boards view' -- "${cur}")) ;;
    time) COMPREPLY+=($(compgen -W 'start stop status switch resume cancel break add edit split join move delete log gaps report chart propose import export' -- "${cur}")) ;;
    projects) COMPREPLY+=($(compgen -W 'add list show edit start complete delete report gantt burndown material blocks attach files invoices' -- "${cur}")) ;;
    chat) COMPREPLY+=($(compgen -W 'open list new show send read search message react pin rename archive mute delete members invite links join people profile block unblock leave share export ask summarize suggest improve follow typing' -- "${cur}")) ;;
    contacts) COMPREPLY+=($(compgen -W 'list show add edit merge delete import export search birthdays books' -- "${cur}")) ;;
    reminders) COMPREPLY+=($(compgen -W 'list snooze dismiss' -- "${cur}")) ;;
    watch) COMPREPLY+=($(compgen -W 'run log' -- "${cur}")) ;;
    plan) COMPREPLY+=($(compgen -W 'day week' -- "${cur}")) ;;
    history) COMPREPLY+=($(compgen -W 'list show' -- "${cur}")) ;;
    review) COMPREPLY+=($(compgen -W 'list show accept reject reopen comment' -- "${cur}")) ;;
    sync) COMPREPLY+=($(compgen -W 'run conflicts resolve' -- "${cur}")) ;;
    outbox) COMPREPLY+=($(compgen -W 'list changes show hold release edit cancel retry' -- "${cur}")) ;;
    account) COMPREPLY+=($(compgen -W 'add edit sign-in check list show remove' -- "${cur}")) ;;
    gateway) COMPREPLY+=($(compgen -W 'serve database user as status pair password end devices approve reject revoke token push device-file call' -- "${cur}")) ;;
    config) COMPREPLY+=($(compgen -W 'list get set unset path edit' -- "${cur}")) ;;
    vault) COMPREPLY+=($(compgen -W 'status create open close passphrase recovery remove' -- "${cur}")) ;;
    mcp) COMPREPLY+=($(compgen -W 'serve install' -- "${cur}")) ;;
    esac
}

__helix_whole_words() {
    local -r typed="${COMP_LINE:0:${COMP_POINT}}"
    local -r whole="${typed##*[[:blank:]]}"
    local -i first="${COMP_CWORD}"
    local joined="${COMP_WORDS[${COMP_CWORD}]}"
    while [[ "${joined}" != "${whole}" && "${first}" -gt 1 ]]; do
        ((first--))
        joined="${COMP_WORDS[${first}]}${joined}"
    done
    if [[ "${whole}" != *:* || "${joined}" != "${whole}" ]]; then
        _helix "${@}"
        return
    fi
    local -ar before=("${COMP_WORDS[@]:0:${first}}")
    local -a COMP_WORDS=("${before[@]}" "${whole}")
    local -i COMP_CWORD="${first}"
    _helix "${1}" "${whole}" "${before[${first} - 1]}"
    local -r head="${whole%"${whole##*:}"}"
    COMPREPLY=("${COMPREPLY[@]#"${head}"}")
}

# A field is followed by its value, without a blank.
__helix_complete_line() {
    __helix_whole_words "${@}"
    if [[ "${#COMPREPLY[@]}" -eq 1 && "${COMPREPLY[0]}" = *: ]]; then
        compopt -o nospace 2> /dev/null
    fi
}

complete -o nosort -o filenames -F __helix_complete_line helix 2>/dev/null ||
    complete -o filenames -F __helix_complete_line helix
