//! What a reduction must keep, the rules there are, and what each of them relies on. Names only.

/// What must be the same in the smaller net. Each is kept by whatever keeps one of those after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Keep {
    /// Which numbers of tokens, of the cells that are looked at, are reachable together.
    Markings,
    /// Whether a dead marking is reachable.
    Deadlock,
    /// What is seen of the cells that are looked at along runs, but for how often it repeats.
    Runs,
    /// The same with all choices on the way, so far as what is seen before and after them differs.
    Choices,
    /// Everything that single steps tell of the cells that are looked at.
    Steps,
}

/// A rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rule {
    /// Firings that can never happen.
    Dead,
    /// Cells that never change.
    Constant,
    /// Cells that never prevent anything by themselves.
    Implicit,
    /// Firings that do what another one does.
    Parallel,
    /// Firings that do nothing.
    Identity,
    /// Firings that only take away.
    Sink,
    /// What has nothing to do with what is asked.
    Cone,
    /// A firing that one before it makes possible happens at once.
    Post,
    /// A firing that makes another one possible happens just before that.
    Pre,
}

impl Rule {
    /// All of them, in the order in which they are tried.
    pub const ALL: [Rule; 9] = [
        Rule::Dead,
        Rule::Constant,
        Rule::Parallel,
        Rule::Identity,
        Rule::Sink,
        Rule::Cone,
        Rule::Post,
        Rule::Pre,
        Rule::Implicit,
    ];

    /// Its name in outputs.
    pub fn name(self) -> &'static str {
        match self {
            Rule::Dead => "dead",
            Rule::Constant => "constant",
            Rule::Implicit => "implicit",
            Rule::Parallel => "parallel",
            Rule::Identity => "identity",
            Rule::Sink => "sink",
            Rule::Cone => "cone",
            Rule::Post => "post",
            Rule::Pre => "pre",
        }
    }

    /// Whether there may be fewer markings by it: otherwise they are only shorter, or have fewer edges.
    pub fn saves_markings(self) -> bool {
        matches!(self, Rule::Sink | Rule::Cone | Rule::Post | Rule::Pre)
    }
}

/// What a rule relies on. Each can be left out by tests, which then must see something go wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Premise {
    /// Dead: what other firings give is looked at.
    DeadGiven,
    /// Dead: what other firings take is looked at, where tokens prevent something.
    DeadTaken,
    /// Constant: nothing needs more than there is.
    ConstantEnough,
    /// Constant: nothing is prevented by what there is.
    ConstantAllowed,
    /// Implicit: nobody looks at the cell.
    ImplicitUnobserved,
    /// Implicit: its tokens prevent nothing.
    ImplicitUninhibited,
    /// Implicit: it holds enough whenever the cell that it follows does.
    ImplicitEnough,
    /// Implicit: it grows with the cell that it follows.
    ImplicitFollows,
    /// Parallel: the other one needs no more.
    ParallelNeeds,
    /// Parallel: no more prevents the other one.
    ParallelInhibited,
    /// Parallel: both do the same.
    ParallelSame,
    /// Identity: only markings matter.
    IdentityKind,
    /// Sink: only markings matter.
    SinkKind,
    /// Sink: nobody looks at what is taken.
    SinkUnobserved,
    /// Sink: what is taken prevents nothing.
    SinkUninhibited,
    /// Cone: only markings matter.
    ConeKind,
    /// Cone: what firings need counts.
    ConeNeeds,
    /// Post: nobody looks at the cell.
    PostUnobserved,
    /// Post: it is empty at first.
    PostEmpty,
    /// Post: its takers need nothing else.
    PostAlone,
    /// Post: nobody looks at what its takers give.
    PostUnseen,
    /// Post: what its takers give prevents nothing and is not emptied.
    PostMonotonic,
    /// Post: where choices matter, it has one taker.
    PostDecided,
    /// Post: not for single steps.
    PostKind,
    /// Pre: nobody looks at the cell.
    PreUnobserved,
    /// Pre: it is empty at first.
    PreEmpty,
    /// Pre: its givers give nothing else.
    PreAlone,
    /// Pre: nobody looks at what its givers take.
    PreUnseen,
    /// Pre: its givers take all that they need.
    PreTaken,
    /// Pre: its givers take something.
    PreSomething,
    /// Pre: what its givers take prevents nothing and is not emptied.
    PreMonotonic,
    /// Pre: where dead ends matter, others do not need what its givers take.
    PreOwn,
    /// Pre: not where choices matter.
    PreKind,
}

impl Premise {
    /// All of them.
    pub const ALL: [Premise; 33] = [
        Premise::DeadGiven,
        Premise::DeadTaken,
        Premise::ConstantEnough,
        Premise::ConstantAllowed,
        Premise::ImplicitUnobserved,
        Premise::ImplicitUninhibited,
        Premise::ImplicitEnough,
        Premise::ImplicitFollows,
        Premise::ParallelNeeds,
        Premise::ParallelInhibited,
        Premise::ParallelSame,
        Premise::IdentityKind,
        Premise::SinkKind,
        Premise::SinkUnobserved,
        Premise::SinkUninhibited,
        Premise::ConeKind,
        Premise::ConeNeeds,
        Premise::PostUnobserved,
        Premise::PostEmpty,
        Premise::PostAlone,
        Premise::PostUnseen,
        Premise::PostMonotonic,
        Premise::PostDecided,
        Premise::PostKind,
        Premise::PreUnobserved,
        Premise::PreEmpty,
        Premise::PreAlone,
        Premise::PreUnseen,
        Premise::PreTaken,
        Premise::PreSomething,
        Premise::PreMonotonic,
        Premise::PreOwn,
        Premise::PreKind,
    ];
}
