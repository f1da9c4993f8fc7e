/* SPDX-License-Identifier: Apache-2.0 */
/* hints.c - guesses the role of a column, and what its numbers are, from the words of its name.
 *
 * A name is split into words at anything but a letter or digit, and where an upper-case letter
 * follows a lower-case one (birthDate, birth_date, "birth date"). A hint of up to four letters must
 * be a whole word (age, but not wage or language); a longer one may be part of a word (zipcode,
 * nationality). The first row of the table that matches wins, so identifiers come first. Digits may
 * follow a short hint (dx1, zip5). An underscore in a hint means the end of a word, a $ the end of
 * the name; a hint that has one of them is bound there and nowhere else (nr_ is the end of
 * Patientennr, _no$ that of "Employee No", but not of "no of visits"). Drugs are recognised by the
 * stems of their names (metformin, glipizide), as the World Health Organization lists them for
 * international nonproprietary names. Words are English and German, and the most frequent ones
 * French, Spanish, Italian, Portuguese, Dutch and Polish.
 */
#include "table/guess.h"

#include <string.h>

enum { LONGEST = 80, SHORT_HINT = 4 };

static const struct {
    shoal_hint hint;
    const char *words; /* separated by blanks */
} hints[] = {
    { SHOAL_HINT_IDENTIFIER,
      "ssn email e-mail mail phone telephone tel mobile fax passport iban "
      "username login firstname lastname forename surname fullname street address mrn nhs url ip "
      "vorname nachname familienname strasse anschrift adresse telefon handy "
      "prénom prenom apellido cognome sobrenome achternaam voornaam imię nazwisko pesel" },
    { SHOAL_HINT_WEIGHT,
      "fnlwgt pwgtp wgtp wgt perwt hhwt wtfinl pweight sample_weight sampling_weight survey_weight "
      "sampleweight surveyweight final_weight person_weight instance_weight instanceweight "
      "case_weight design_weight analysis_weight replicate_weight household_weight pwt finalwt "
      "weight_final expansion_factor factor_de_exp factor_exp ponderaci ponderation pondération "
      "gewichtungsfaktor hochrechnung designgewicht personengewicht haushaltsgewicht weegfactor "
      "wegingsfactor" },
    { SHOAL_HINT_KEY, "id uuid guid nbr key nr_ nummer pid uid hhid empid custid patientid "
                      "personid memberid customerid clientid userid subjectid studentid "
                      "employeeid recordid caseid accountid visitid encounterid householdid" },
    { SHOAL_HINT_SENSITIVE,
      "health disease diagnos diag diags illness symptom icd medication drug treatment therapy hiv "
      "insulin icd9 icd10 icd9cm icd10cm dx "
      "med meds diabetes cancer tumor tumour asthma hypertension depression epilepsy anaemia "
      "pregnan psychiatr abortion addiction "
      "serum glucose hba1c a1c a1cresult cholesterol lab labs medicine prescription dose "
      "disability "
      "salary income pincp hincp wagp wage wages earnings gain gains capital debt poverty povpip "
      "benefit pension "
      "balance _charge cost costs payment payments paid billed reimbursement kosten "
      "relig politic orientation sexual sexorient crime criminal offence offense conviction "
      /* what Articles 9 and 10 of the General Data Protection Regulation name */
      "vote voted votes voting ballot _party$ party_affil polític partei wahlabsicht "
      "wahlentscheid wahlverhalten _voto$ partido partito partij stemgedrag parti_politique "
      "_union$ union_member unionmember trade_union labor_union labour_union unionized "
      "gewerkschaft syndicat sindicat sindacat sindacal vakbond "
      "special_need specialneed special_ed förderbedarf foerderbedarf sonderpäd "
      "disabled handicap behinder discapacid invalidit disabilit invaliditeit niepełnospr "
      "beperking deficiencia deficiência "
      "arrest prison incarcerat felony probation parole vorstraf vorbestraft straftat "
      "strafregister verurteil casier_judiciaire condamn condena antecedentes precedenti_penali "
      "strafblad veroordeel "
      "sexuell orientierung orientación orientamento geaardheid lgbt lgbtq "
      "faith church kirche glaube culto godsdienst geloof wyznanie "
      "genetic biometr fingerprint gesundheit salud santé salute gezondheid zdrowi ziekte choroba "
      "doença "
      "genotype gene bonus cpt hcpcs drg "
      "krankheit medikament behandlung einkommen gehalt entgelt _lohn verdienst vermögen "
      "konfession "
      "salaire revenu salario stipendio reddito ingresos enfermedad malattia maladie zarobki "
      "dochód inkomen" },
    { SHOAL_HINT_POSTCODE,
      "zip zipcode postcode postal plz postleitzahl codigo_postal código_postal kod_pocztowy" },
    { SHOAL_HINT_LATITUDE, "latitude lat breitengrad" },
    { SHOAL_HINT_LONGITUDE, "longitude lon lng längengrad" },
    { SHOAL_HINT_AGE, "age _alter_ lebensalter âge edad età _idade_ leeftijd wiek" },
    { SHOAL_HINT_KEY, "_no$ _num$ number$ _person$ _patient$ _customer$ _client$ _member$ "
                      "_subject$ _participant$ _respondent$ _student$ _employee$ _user$ _rider$ "
                      /* "Employee No"; but "diagnosis_num", "age_num" match before */
                      "_kunde$ _versicherter$ _mitarbeiter$" },
    { SHOAL_HINT_QUASI,
      "sex gender race ethnic birth born dob yob country nation citizen city town county state "
      "region "
      "province district municipality marital relationship education degree school occupation job "
      "profession industry workclass employ language height weight household children family hours "
      "bmi "
      "geschlecht geburt geboren familienstand staatsangeh nationalit land bundesland ort wohnort "
      "stadt gemeinde _kreis_ landkreis beruf "
      "branche bildung abschluss sprache haushalt kinder größe groesse gewicht "
      "sexe sexo sesso geslacht płeć naissance nacimiento nascita nascimento geboorte urodzenia "
      "métier profesión professione beroep zawód wykształcenie "
      "commune ciudad città comune woonplaats miasto województwo" },
    /* last, so that "country name" and "job name" match QUASI first */
    { SHOAL_HINT_IDENTIFIER, "name nom _nombre$ nome naam" },
};

/* " birth date " for birthDate: lower case, a blank before and after each word. */
static void cut_words(char *out, const char *name)
{
    size_t n = 0;
    out[n++] = ' ';
    for (const char *at = name; *at != '\0' && n + 3 < LONGEST; at++) {
        bool small = *at >= 'a' && *at <= 'z', capital = *at >= 'A' && *at <= 'Z';
        bool other = (*at >= '0' && *at <= '9') || (unsigned char)*at >= 0x80;
        if (capital && at > name && at[-1] >= 'a' && at[-1] <= 'z') out[n++] = ' ';
        if (small || capital || other)
            out[n++] = (char)(capital ? *at + 32 : *at);
        else if (out[n - 1] != ' ')
            out[n++] = ' ';
    }
    if (out[n - 1] != ' ') out[n++] = ' ';
    out[n] = '\0';
}

static bool starts_alike(const char *words, const char *hint, size_t length)
{
    size_t i = 0;
    while (i < length && (hint[i] == '$' ? words[i] == ' ' && words[i + 1] == '\0'
                                         : words[i] == (hint[i] == '_' ? ' ' : hint[i])))
        i++;
    return i == length;
}

static bool is_bound(const char *hint, size_t length)
{
    return memchr(hint, '_', length) != NULL || memchr(hint, '$', length) != NULL;
}

static bool has_word(const char *words, const char *hint, size_t length)
{
    for (const char *at = words; *at != '\0'; at++) {
        if (!starts_alike(at, hint, length)) continue;
        if (length > SHORT_HINT || is_bound(hint, length) ||
            (at[-1] == ' ' && at[length + strspn(at + length, "0123456789")] == ' '))
            return true;
    }
    return false;
}

/* Is a hint of the list, separated by blanks, among the words? */
static bool has_any(const char *words, const char *list)
{
    for (const char *hint = list; *hint != '\0';) {
        size_t length = strcspn(hint, " ");
        if (has_word(words, hint, length)) return true;
        hint += length + (hint[length] == ' ');
    }
    return false;
}

/* Does a word end in a stem of drugs, with something before it? */
static bool names_drug(const char *words)
{
    static const char *const stems[] = {
        "formin",    "glinide",  "gliptin",  "gliflozin", "glitazone", "glitol",  "bose",
        "propamide", "butamide", "azamide",  "hexamide",  "piride",    "pizide",  "buride",
        "sartan",    "pril",     "statin",   "olol",      "dipine",    "prazole", "cillin",
        "mycin",     "cycline",  "floxacin", "conazole",  "azepam",    "azolam",  "oxetine",
        "triptan",   "parin",    "xaban",    "tinib",     "umab",      "ximab",   "navir",
        "ciclovir",  "codone",   "azosin",
    };
    for (const char *word = words + 1; *word != '\0'; word += strcspn(word, " ") + 1) {
        size_t length = strcspn(word, " ");
        for (size_t i = 0; i < sizeof stems / sizeof *stems; i++) {
            size_t n = strlen(stems[i]);
            if (length > n + 1 && memcmp(word + length - n, stems[i], n) == 0) return true;
        }
    }
    return false;
}

static shoal_hint find_hint(const char *name, bool with_keys)
{
    char words[LONGEST + 1];
    cut_words(words, name);
    for (size_t i = 0; i < sizeof hints / sizeof *hints; i++) {
        if (hints[i].hint == SHOAL_HINT_KEY && !with_keys) continue;
        if (has_any(words, hints[i].words)) return hints[i].hint;
        if (hints[i].hint == SHOAL_HINT_SENSITIVE && names_drug(words)) return SHOAL_HINT_SENSITIVE;
    }
    return SHOAL_HINT_NONE;
}

shoal_hint shoal_name_hint(const char *name)
{
    return find_hint(name, true);
}
shoal_hint shoal_name_hint_of_kinds(const char *name)
{
    return find_hint(name, false);
}

bool shoal_name_has_words(const char *name, const char *words)
{
    char cut[LONGEST + 1];
    cut_words(cut, name);
    return has_any(cut, words);
}

shoal_number_hint shoal_name_number_hint(const char *name)
{
    static const char amounts[] = "age agep num number no count n size hour hours week weeks day "
                                  "days month months year years yob time minutes "
                                  "children child kids rooms persons people members visits "
                                  "procedures quantity qty amount amounts score points "
                                  "grade rating rank level decile quintile quartile percentile "
                                  "stage income salary wage wages price cost fee gain loss "
                                  "total sum average mean percent pct rate height weight length "
                                  "width distance temperature density dose";
    static const char codes[] = "id code codes _cd_ siteid type cat category kind group sex gender "
                                "race ethnic hisp hispanic marital status nation country region "
                                "state district religion occupation industry flag class";
    char words[LONGEST + 1];
    cut_words(words, name);
    if (has_any(words, amounts)) return SHOAL_NUMBERS_AMOUNTS;
    return has_any(words, codes) ? SHOAL_NUMBERS_CODES : SHOAL_NUMBERS_UNSAID;
}
